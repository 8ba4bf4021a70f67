import type { Logger } from 'pino'
import type { Database } from '../db/open-database.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import type { Clock } from '../time/clock.ts'

/** Services that the procedures of this module take. Not in the router's file, whose types the client package contains. */
export interface ModerationServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly log: Logger
  readonly now: Clock
  readonly sendsMail: boolean
}
