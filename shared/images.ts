import type { ErrorCode } from './errors.ts'

export type ImageState = 'generating' | 'ready' | 'failed' | 'cancelled'

/** An image that a user had made here, shared or not; only its owner sees it. */
export interface Image {
  readonly id: string
  readonly prompt: string
  readonly state: ImageState
  /** Why it failed; null unless `state` is failed. */
  readonly failure: ErrorCode | null
  /** Path of the original JPEG on this server; null until the image is ready. */
  readonly photo: string | null
  /** Pixels of the original; null until the image is ready. */
  readonly width: number | null
  readonly height: number | null
  /** ThumbHash of the image, base64; null until the image is ready. */
  readonly placeholder: string | null
  readonly engine: string
  readonly model: string
  /** Whether an administrator has hidden it: only its owner still sees it, and it can't be shared. */
  readonly isHidden: boolean
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** An image whose image is stored. */
export interface ReadyImage extends Image {
  readonly state: 'ready'
  readonly photo: string
  readonly width: number
  readonly height: number
  readonly placeholder: string
}

/**
 * What `images.generate` and `images.watch` stream. `accepted` is the first, then come where the job stands now and
 * each change of it; `ready` is the last. A failure is thrown instead.
 */
export type GenerationEvent =
  | {
      readonly type: 'accepted'
      readonly imageId: string
      readonly prompt: string
      /** When it was asked for; ISO 8601, UTC. */
      readonly createdAt: string
      /** Seconds that the engine's recent images took, the median of them; null before there are any. */
      readonly usualSeconds: number | null
    }
  /** How many jobs are ahead of this one. */
  | { readonly type: 'queued'; readonly position: number }
  /** The engine was asked; ISO 8601, UTC. */
  | { readonly type: 'started'; readonly startedAt: string }
  /** What can be seen of the image so far, as a data URL. It is nowhere stored. */
  | { readonly type: 'partial'; readonly photo: string }
  /** The server is being stopped and still tries to finish this image. */
  | { readonly type: 'stopping' }
  | { readonly type: 'ready'; readonly image: ReadyImage }

/** One page of a user's own images, newest first. */
export interface ImagePage {
  readonly images: readonly Image[]
  /** Opaque; pass it as `cursor` for the next page. Null on the last page. */
  readonly nextCursor: string | null
}

/** A user's images of one UTC day, counted by the server. */
export interface Quota {
  readonly used: number
  readonly limit: number
  /** Images that the whole site may still generate until `resetsAt`; absent where it has no such limit. */
  readonly siteRemaining?: number
  /** When the count starts again at 0: the next UTC midnight, ISO 8601. */
  readonly resetsAt: string
}
