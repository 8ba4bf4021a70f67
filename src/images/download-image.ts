import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { saveFile } from '../browser/apis.ts'

/** Fetches the bytes of an image. Throws on any status but success. */
export async function fetchImage(url: string, signal?: AbortSignal): Promise<Blob> {
  const response = await fetch(url, signal ? { signal } : {})
  if (!response.ok) throw new Error(`The server responded with status ${response.status}`)
  return response.blob()
}

/**
 * Downloads an image with its recipe, or another file of it, named after the id of the image or post. `failure` is a message
 * for the user, until the next attempt.
 */
export function useDownload(kind: 'images' | 'posts', id: string) {
  const { t } = useLingui()
  const [hasFailed, setHasFailed] = useState(false)
  async function download(file?: string) {
    setHasFailed(false)
    try {
      const image = await fetchImage(file ?? `/api/${kind}/${id}/download`)
      saveFile(image, `download-${id}.${file?.split('.').at(-1) ?? 'jpg'}`)
    } catch (cause) {
      console.error('could not download file', cause)
      setHasFailed(true)
    }
  }
  return {
    failure: hasFailed && t`The image could not be downloaded. Try again.`,
    download: (file?: string) => void download(file),
  }
}
