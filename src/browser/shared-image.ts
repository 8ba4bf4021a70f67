import { sharedImage } from '../../shared/service-worker.ts'

/** Reads the image that the user has shared with the site from another app; null if there is none. */
export async function readSharedImage(): Promise<File | null> {
  // Missing without HTTPS.
  if (!('caches' in window)) return null
  const response = await caches.match(sharedImage.path, { cacheName: sharedImage.cache })
  if (!response) return null
  const image = await response.blob()
  return new File([image], sharedImage.field, { type: image.type })
}

/** Removes the shared image. */
export async function forgetSharedImage(): Promise<void> {
  await caches.delete(sharedImage.cache)
}
