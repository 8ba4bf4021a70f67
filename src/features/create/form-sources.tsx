import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { SucceededImage } from '../../../shared/images.ts'
import { postPath } from '../../../shared/routes.ts'
import { forgetSharedImage, readSharedImage } from '../../browser/shared-image.ts'
import { SmallImage } from '../../images/image.tsx'
import { fetchImage } from '../../images/download-image.ts'
import { toast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { shorten, UserText } from '../../ui/text.tsx'
import { useCall } from '../auth/call-failure.tsx'
import { elementIds, focusFirst } from './element-ids.ts'
import { takesReference, type RemixedPost } from './form-options.ts'
import styles from './form-sources.module.css'
import { useCreation } from './use-creation.ts'
import { useUpload } from './use-own-images.ts'

/** Maximum length of the prompt in the link, in characters. */
const promptLength = 80

/** The post that the form's images are remixes of, with a button that ends that. */
export function RemixOf({ post }: { post: RemixedPost }) {
  const { t } = useLingui()
  const creation = useCreation()
  const { send } = useUpload()
  const failed = t`The image could not be used as reference. Try again in a moment.`
  const { run, isBusy: isCopying } = useCall(failed, undefined, { isFailureToasted: true })

  /** Copies the image of the post to the user's own, as references have to be. */
  async function copyReference() {
    creation.addReference(await send(await fetchImage(post.photo)))
  }

  return (
    <Source preview={<RemixedPostLink post={post} />}>
      {takesReference(creation.draft.options, creation.engine) && (
        <Button isBusy={isCopying} onClick={() => run(copyReference, t`The image is a reference image now.`)}>
          {isCopying ? t`Copying…` : t`Use its image as reference`}
        </Button>
      )}
      <Button
        onClick={() => {
          creation.changeOptions({ remix: null })
          focusFirst(elementIds.prompt)
        }}
      >
        <Trans>Remove</Trans>
      </Button>
    </Source>
  )
}

function Source({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  return (
    <div className={`row centered card ${styles['source']}`}>
      {preview}
      <div className="row">{children}</div>
    </div>
  )
}

/** Thumbnail, prompt and author of a post that is remixed, as a link to it. */
export function RemixedPostLink({ post }: { post: RemixedPost }) {
  return (
    <p className={`beside breakable ${styles['post']}`}>
      {!post.isSensitive && <SmallImage image={post} className="thumb" />}
      <span>
        {post.prompt === '' ? (
          <Trans>
            Remix of <Link href={postPath(post.id)}>an image</Link> by <UserText text={post.name} />
          </Trans>
        ) : (
          <Trans>
            Remix of{' '}
            <Link href={postPath(post.id)}>
              “<UserText text={shorten(post.prompt, promptLength)} />”
            </Link>{' '}
            by <UserText text={post.name} />
          </Trans>
        )}
      </span>
    </p>
  )
}

/**
 * The image that the user has shared with the site from another app, with what to do with it. Nothing is uploaded before: other
 * sites, too, can send one.
 */
export function SharedImage() {
  const { t } = useLingui()
  const creation = useCreation()
  const [shared, forget] = useSharedImage()
  const { upload, isUploading, failure } = useUpload()
  if (!shared) return null
  const { file, url } = shared

  async function finish() {
    await forget()
    focusFirst(elementIds.prompt)
  }

  async function uploadFor(use: (image: SucceededImage) => void, message: string) {
    const image = await upload(file)
    if (!image) return
    use(image)
    toast(message)
    await finish()
  }

  return (
    <>
      <Source preview={<SharedImagePreview url={url} />}>
        {takesReference(creation.draft.options, creation.engine) && (
          <Button
            isBusy={isUploading}
            onClick={() => void uploadFor(creation.addReference, t`The image is a reference image now.`)}
          >
            <Trans>Use as reference</Trans>
          </Button>
        )}
        <Button
          isBusy={isUploading}
          onClick={() => void uploadFor(creation.select, t`The image is in the form, ready to be shared.`)}
        >
          <Trans>Put into the form</Trans>
        </Button>
        <Button onClick={() => void creation.importFile(file)}>{t`Import settings`}</Button>
        <Button onClick={() => void finish()}>{t`Remove`}</Button>
      </Source>
      <Notice>{failure}</Notice>
    </>
  )
}

/** Reads the image that the user has shared with the site from another app, until the returned function removes it. */
export function useSharedImage() {
  const [shared, setShared] = useState<{ readonly file: File; readonly url: string } | null>(null)
  useEffect(() => {
    const loading = readSharedImage().then((file) => file && { file, url: URL.createObjectURL(file) })
    void loading.then(setShared)
    return () => void loading.then((loaded) => loaded && URL.revokeObjectURL(loaded.url))
  }, [])
  async function forget() {
    await forgetSharedImage()
    setShared(null)
  }
  return [shared, forget] as const
}

/** The image that the user has shared with the site from another app. */
export function SharedImagePreview({ url }: { url: string }) {
  return (
    <p className={`beside breakable ${styles['post']}`}>
      <img src={url} alt="" className="thumb" />
      <span>
        <Trans>An image from another app</Trans>
      </span>
    </p>
  )
}
