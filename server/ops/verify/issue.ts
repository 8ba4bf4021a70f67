import type { Database } from '../../db/open-database.ts'
import type { BlobStore } from '../../storage/blob-store.ts'

/** Defect of the stored data. */
export interface Issue {
  /** A sentence without its full stop. */
  readonly message: string
  /** Repairs it; null if only a backup or the operator can. */
  readonly fix: (() => Promise<void>) | null
  /** To be confirmed before `fix`, because the configuration may be wrong instead of the data. */
  readonly question?: string
}

/** Data to verify. */
export interface VerifiedSite {
  readonly db: Database
  readonly blobs: BlobStore
}
