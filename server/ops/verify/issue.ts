import type { Database } from '../../db/open-database.ts'
import type { BlobStore } from '../../storage/blob-store.ts'

/** Something that is not as it should be. */
export interface Fault {
  /** A sentence without its full stop, for whoever runs the site. */
  readonly what: string
  /** Puts it right; null for what only a backup or a user can. */
  readonly mend: (() => Promise<void>) | null
  /** Asked before it is put right, where it may be the set-up that is wrong. */
  readonly question?: string
}

/** What is looked at. */
export interface CheckedSite {
  readonly db: Database
  readonly blobs: BlobStore
}
