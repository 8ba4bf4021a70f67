import { useState } from 'react'
import { messages } from '../../shared/errors.ts'
import type { Post } from '../../shared/posts.ts'
import { saveFile } from '../browser/save-file.ts'
import { fetchImage } from './fetch-image.ts'

/** Saves the image of a post, or an image, as a file named after its id; `failure` says why it could not be, until the next attempt. */
export function useDownload(image: Pick<Post, 'id' | 'photo'>) {
  const [failure, setFailure] = useState<string | null>(null)

  async function download() {
    setFailure(null)
    try {
      saveFile(await fetchImage(image.photo), `download-${image.id}.jpg`)
    } catch (cause) {
      console.error(messages.downloadFailed, cause)
      setFailure('The image could not be downloaded. Try again.')
    }
  }

  return { failure, download }
}
