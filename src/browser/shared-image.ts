import { sharedImage } from '../../shared/service-worker.ts'

/** Another user of the device does not find the image later, even if this one never signs out. */
const maxAgeMs = 60 * 60 * 1_000

/** Reads the image that the user has shared with the site from another app; null if there is none. */
export async function readSharedImage(): Promise<File | null> {
  // Missing without HTTPS.
  if (!('caches' in window)) return null
  // Rejected if the browser blocks storage, as in private windows.
  const response = await caches.match(sharedImage.path, { cacheName: sharedImage.cache }).catch(() => null)
  if (!response) return null
  if (Date.now() - Date.parse(response.headers.get('Date') ?? '') > maxAgeMs) {
    await forgetSharedImage()
    return null
  }
  const image = await response.blob()
  return new File([image], sharedImage.field, { type: image.type })
}

export async function forgetSharedImage(): Promise<void> {
  // Rejected if the browser blocks storage: then there is no image.
  if ('caches' in window) await caches.delete(sharedImage.cache).catch(() => false)
}
