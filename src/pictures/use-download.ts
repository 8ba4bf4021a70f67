import { useState } from 'react'
import { messages } from '../../shared/errors.ts'
import type { Post } from '../../shared/posts.ts'

/** Saves the picture of a post, or an image, as a file named after its id; `failure` says why it could not be, until the next attempt. */
export function useDownload(picture: Pick<Post, 'id' | 'photo'>) {
  const [failure, setFailure] = useState<string | null>(null)

  async function download() {
    setFailure(null)
    try {
      save(await fetchPicture(picture.photo), `download-${picture.id}.jpg`)
    } catch (cause) {
      console.error(messages.downloadFailed, cause)
      setFailure('The picture could not be downloaded. Try again.')
    }
  }

  return { failure, download }
}

async function fetchPicture(photo: string): Promise<Blob> {
  const response = await fetch(photo)
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  return response.blob()
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
