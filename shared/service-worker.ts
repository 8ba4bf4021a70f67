/** URL of the service worker's script. */
export const serviceWorkerPath = '/service-worker.js'

/** URL of the page that the service worker shows without a connection. */
export const offlinePath = '/offline'

/** Build of the client, which the server passes to the service worker. */
export interface WorkerBuild {
  /** Digest of all that the worker caches, which names the cache. */
  readonly id: string
  /** URLs of the scripts and style sheets of all pages. */
  readonly files: readonly string[]
}

/** Data of a notification, with which the service worker handles its click. */
export interface NotificationData {
  /** Address of the page that its click opens. */
  readonly url: string
}

/** Request by which an image gets from the share menu of a device to the form. The service worker answers it. */
export const sharedImage = {
  /** URL to which the browser posts the image. */
  path: '/share-image',
  /** Field of the request. */
  field: 'image',
  /** Cache in which the image waits, under `path`. */
  cache: 'shared-image',
} as const
