import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { forgetSharedImage, readSharedImage } from '../../browser/shared-image.ts'
import styles from './remix-of.module.css'

/** Reads the image that the user has shared with the site from another app, until they use or remove it. */
export function useSharedImage() {
  const [shared, setShared] = useState<{ readonly file: File; readonly url: string } | null>(null)
  useEffect(() => {
    let url: string | null = null
    let isUnmounted = false
    async function load() {
      const file = await readSharedImage()
      if (!file || isUnmounted) return
      url = URL.createObjectURL(file)
      setShared({ file, url })
    }
    void load()
    return () => {
      isUnmounted = true
      if (url !== null) URL.revokeObjectURL(url)
    }
  }, [])

  async function forget() {
    await forgetSharedImage()
    setShared(null)
  }

  return { shared, forget }
}

/** The image that the user has shared with the site from another app. */
export function SharedImagePreview({ url }: { url: string }) {
  return (
    <p className={styles['post']}>
      <img src={url} alt="" className={styles['image']} />
      <span>
        <Trans>An image from another app</Trans>
      </span>
    </p>
  )
}
