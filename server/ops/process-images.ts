import pLimit from 'p-limit'
import type { Database } from '../db/open-database.ts'
import { countStoredImages, storedImages, type StoredImage } from '../images/stored-images.ts'

/** Receives the progress of long work. */
export type Report = (done: number, total: number) => void

interface ProcessOptions {
  /** Number of images that are processed concurrently. */
  readonly concurrency: number
  readonly report: Report
}

/** Processes every stored image of a database, oldest first, and yields each with its result. */
export async function* processImages<Result>(
  db: Database,
  { concurrency, report }: ProcessOptions,
  process: (image: StoredImage) => Promise<Result>,
): AsyncGenerator<readonly [StoredImage, Result]> {
  const total = await countStoredImages(db)
  const limit = pLimit(concurrency)
  let done = 0
  for await (const batch of storedImages(db)) {
    yield* await Promise.all(batch.map(async (image) => [image, await limit(() => process(image))] as const))
    done += batch.length
    report(done, total)
  }
}
