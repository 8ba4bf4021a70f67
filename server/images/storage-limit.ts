import type { Database } from '../db/open-database.ts'
import type { SiteOptions } from '../../shared/site-options.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'

const bytesPerMegabyte = 1_000_000

type StorageOptions = Pick<SiteOptions, 'storageLimitMegabytes'>

/** A user's stored images, and how many may be stored. */
export interface StorageUse {
  /** Bytes of all images, those in the trash included. */
  readonly used: number
  /** Bytes. */
  readonly limit: number
}

/** Reads how much a user stores; null if the site has no limit. */
export async function readStorageUse(
  db: Database,
  { storageLimitMegabytes }: StorageOptions,
  userId: string,
): Promise<StorageUse | null> {
  if (storageLimitMegabytes === null) return null
  const { used } = await db
    .selectFrom('images')
    .select((eb) => eb.cast<number>(eb.fn.coalesce(eb.fn.sum('bytes'), eb.lit(0)), 'bigint').as('used'))
    .where('owner_id', '=', userId)
    .where('bytes', 'is not', null)
    // They can't be removed by their owner.
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { used, limit: storageLimitMegabytes * bytesPerMegabyte }
}

/**
 * Verifies that a user may store more. Call it in a transaction that has locked the user.
 *
 * @param bytes of the new image; 0 if they are not known yet
 * @throws AppError `storage_limit`
 */
export async function requireStorage(
  transaction: Database,
  { storageLimitMegabytes }: StorageOptions,
  userId: string,
  bytes = 0,
): Promise<void> {
  const storage = await readStorageUse(transaction, { storageLimitMegabytes }, userId)
  if (!storage || (storage.used < storage.limit && storage.used + bytes <= storage.limit)) return
  throw new AppError(
    'storage_limit',
    describedDetail('storage_limit', { megabytes: storage.limit / bytesPerMegabyte }),
  )
}
