import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { saveFile } from '../browser/apis.ts'

const preloadTimeoutMs = 3_000

/** Fetches the bytes of an image. Throws on any status but success. */
export async function fetchImage(url: string, signal?: AbortSignal): Promise<Blob> {
  const response = await fetch(url, signal ? { signal } : {})
  if (!response.ok) throw new Error(`The server responded with status ${response.status}`)
  return response.blob()
}

/** Loads and decodes an image, so that it replaces another one without a gap. Gives up after a timeout; never rejects. */
export async function preload(url: string): Promise<void> {
  const image = new Image()
  image.src = url
  const timeout = new Promise((resolve) => setTimeout(resolve, preloadTimeoutMs))
  await Promise.race([image.decode(), timeout]).catch(() => {})
}

/**
 * Downloads an image with its recipe, or another file of it, named after the id of the image or post. `failure` is a message
 * for the user, until the next attempt.
 */
export function useDownload(kind: 'images' | 'posts', id: string) {
  const { t } = useLingui()
  const { error, mutate } = useMutation({
    mutationFn: async (file: string | undefined) =>
      saveFile(
        await fetchImage(file ?? `/api/${kind}/${id}/download`),
        `download-${id}.${file?.split('.').at(-1) ?? 'jpg'}`,
      ),
    onError: (cause) => console.error('could not download file', cause),
  })
  return {
    failure: error && t`The image could not be downloaded. Try again.`,
    download: (file?: string) => mutate(file),
  }
}
