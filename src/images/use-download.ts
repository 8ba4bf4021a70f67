import { useState } from 'react'
import { messages } from '../../shared/errors.ts'
import type { Post } from '../../shared/posts.ts'
import { saveFile } from '../browser/save-file.ts'
import { fetchPicture } from './fetch-picture.ts'

/** Saves the picture of a post, or an image, as a file named after its id; `failure` says why it could not be, until the next attempt. */
export function useDownload(picture: Pick<Post, 'id' | 'photo'>) {
  const [failure, setFailure] = useState<string | null>(null)

  async function download() {
    setFailure(null)
    try {
      saveFile(await fetchPicture(picture.photo), `download-${picture.id}.jpg`)
    } catch (cause) {
      console.error(messages.downloadFailed, cause)
      setFailure('The picture could not be downloaded. Try again.')
    }
  }

  return { failure, download }
}
