import type { Logger } from 'pino'
import type { Database } from '../db/open-database.ts'
import type { Engines } from '../engines/engines.ts'
import type { KeyedQueue } from '../rate-limits/keyed-queue.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { ReadSiteOptions } from '../site/site-options.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import type { ImageLinks } from './image-links.ts'
import type { MatchingImages } from './list-images.ts'

/** Services of this module. Each use case takes those that it needs. */
export interface ImagesServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly log: Logger
  /** Returns milliseconds since 1970. */
  readonly now: () => number
  readonly readOptions: ReadSiteOptions
  readonly uploadQueue: KeyedQueue
  readonly dailyUploadLimit: number
  readonly writeLimits: Pick<WriteLimits, 'indexing'>
  readonly engines: Engines
  readonly imageLinks: ImageLinks
  readonly matchingImages: MatchingImages
}

export type Needs<Name extends keyof ImagesServices> = Pick<ImagesServices, Name>
