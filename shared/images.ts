import type { EngineKind, ImageSize, Lora, ParameterValues } from './engines.ts'
import type { ErrorCode } from './errors.ts'
import type { Post } from './posts.ts'
import type { RecipeStyle } from './styles.ts'

/** States of an image, in order: `queued` → `running` → one of the others. */
export type ImageState = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'

export function isFinished(state: ImageState): boolean {
  return state !== 'queued' && state !== 'running'
}

/** Settings by which an image was generated, as far as they are known: null, '' and [] where they are not, and where a setting was not used. */
export interface Recipe {
  readonly engine: string
  /** Name of the engine for users. */
  readonly engineLabel: string
  readonly model: string
  readonly prompt: string
  readonly negativePrompt: string
  readonly size: ImageSize | null
  readonly seed: number | null
  readonly steps: number | null
  readonly sampler: string | null
  readonly scheduler: string | null
  readonly cfgScale: number | null
  /** Difference from the first reference image that is allowed, 0 to 1. */
  readonly strength: number | null
  /** Ids of the owner's images; they may not exist any more. */
  readonly referenceImageIds: readonly string[]
  /** Id of the owner's mask of the first one, which may not exist any more; absent without one. Only its owner knows it. */
  readonly maskImageId?: string
  /** Id of the post that the image is a remix of; it may not exist any more. */
  readonly remixOf: string | null
  /** Values of the parameters of the model; absent without any. */
  readonly parameters?: ParameterValues
  /** Those of the parameters that are texts or images of the owner, who alone knows these; absent without any. */
  readonly parameterTypes?: Readonly<Record<string, 'text' | 'image'>>
  /** The style that surrounded the prompt, as it was then; absent without one. */
  readonly style?: RecipeStyle
  /** Absent without any. */
  readonly loras?: readonly Lora[]
  /** Factor by which the image of `sourceImageId` was enlarged; absent for other images. */
  readonly upscale?: number
  /** Id of the owner's image that was enlarged; it may not exist any more. Only its owner knows it. */
  readonly sourceImageId?: string
  /** Words of the prompt that the image shows, in their order; null if the engine did not report them. */
  readonly drawnFrom: readonly string[] | null
  /** Words of the prompt that the image does not show; null if the engine did not report them. */
  readonly notDrawn: readonly string[] | null
}

/** An image of a user, shared or not. Only its owner sees it. */
export interface Image {
  readonly id: string
  readonly prompt: string
  readonly state: ImageState
  /** Reason of a failure; null unless `state` is `failed`. */
  readonly failure: ErrorCode | null
  /** Description of the failure, if it is more specific than the message of `failure`; else null. */
  readonly failureDetail: string | null
  /** Path of the original JPEG on this server; null until the image has succeeded. */
  readonly photo: string | null
  /**
   * Path of the PNG or WebP as the engine delivered it, if it carries Content Credentials; null for every other image, and for
   * a JPEG with Content Credentials, which is `photo`.
   */
  readonly credentialsUrl: string | null
  readonly isAiMade: boolean | null
  /** Pixels of the original; null until the image has succeeded. */
  readonly width: number | null
  readonly height: number | null
  /** ThumbHash of the image, base64; null until the image has succeeded. */
  readonly placeholder: string | null
  /** Id of the engine. Empty for an upload, like `model`. */
  readonly engine: string
  /** Null for an upload. */
  readonly engineKind: EngineKind | null
  readonly model: string
  /** Null for an upload. */
  readonly recipe: Recipe | null
  /** What the provider charged for it, or else the engine's price, in USD; null if unknown. */
  readonly cost: number | null
  /** True if an administrator has hidden it: only its owner sees it, and it can't be shared. */
  readonly isHidden: boolean
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** Start of the generation, ISO 8601, UTC; null while it is queued, and for an upload. */
  readonly startedAt: string | null
}

/** An image whose file is stored. */
export interface SucceededImage extends Image {
  readonly state: 'succeeded'
  readonly photo: string
  readonly width: number
  readonly height: number
  readonly placeholder: string
}

export function isSucceeded<Item extends Image>(image: Item): image is Item & SucceededImage {
  return image.state === 'succeeded'
}

/** Event of `images.watch`. Every watched image begins with its current `state`, and ends with a final one. */
export type ImageEvent =
  | {
      readonly type: 'state'
      readonly image: Image
      /** Median duration of the engine's latest generations, in seconds; null if unknown. */
      readonly usualSeconds: number | null
      /** Seconds after which a retry makes sense, if the error that ended the generation says so. */
      readonly retryAfter?: number
    }
  | {
      readonly type: 'queue'
      readonly id: string
      /** Number of generations of the same engine that wait ahead of this one. */
      readonly position: number
      /** Estimated time until it starts, in seconds; null if unknown. */
      readonly waitSeconds: number | null
      /** True if an administrator has paused the engine: the image waits until it is resumed. */
      readonly isPaused?: true
      /** True if it waits at the server of the engine, which has been asked. The next `progress` says that it has started. */
      readonly isSent?: true
    }
  /** Fraction of the generation that is done, 0 to 1. */
  | { readonly type: 'progress'; readonly id: string; readonly progress: number }
  /** Intermediate image. It is not stored. */
  | { readonly type: 'preview'; readonly id: string; readonly dataUrl: string }
  /** The server is shutting down, and tries to finish this image first. */
  | { readonly type: 'stopping'; readonly id: string }

/** Days for which deleted images stay in the trash. */
export const trashDays = 30

export const imageFilters = ['all', 'shared', 'failed', 'trash'] as const

export type ImageFilter = (typeof imageFilters)[number]

/** A post as the list of its author's images names it. */
export type OwnPost = Pick<Post, 'id' | 'visibility'>

/** An image of a user with the posts that show it, newest first; in the trash, those that are restored with it. */
export interface ListedImage extends Image {
  readonly posts: readonly OwnPost[]
  /**
   * Time after which the image moves to the trash because it is not shared, or is deleted permanently if it is in the trash;
   * ISO 8601, UTC. Absent if it stays.
   */
  readonly expiresAt?: string
}

/** One page of a user's own images. */
export interface ImagePage {
  readonly images: readonly ListedImage[]
  /** Number of images that the list has on all pages, without canceled ones. */
  readonly total: number
  /** Opaque; the `cursor` of the next page. Null on the last page. */
  readonly nextCursor: string | null
}

/** Money for images in a UTC month, in USD. */
export interface Budget {
  readonly limit: number
  /** What finished images have cost. */
  readonly spent: number
  /** What unfinished images may cost at most. */
  readonly reserved: number
  readonly currency: 'USD'
  /** Begin of the next month; ISO 8601. */
  readonly resetsAt: string
}

/** A user's generated images of one UTC day. */
export interface Quota {
  readonly used: number
  readonly limit: number
  /** Images that the whole site may still generate until `resetsAt`; absent if the site has no such limit. */
  readonly siteRemaining?: number
  /** Bytes of the user's images, those in the trash included; absent if the site has no limit of them. */
  readonly storage?: { readonly used: number; readonly limit: number }
  /** The budget of the user or of the site, whichever has less left; null if neither has one. */
  readonly budget: Budget | null
  /** Next UTC midnight, when `used` is reset; ISO 8601. */
  readonly resetsAt: string
}
