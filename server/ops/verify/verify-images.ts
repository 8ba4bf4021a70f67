import pLimit from 'p-limit'
import { originalFile } from '../../../shared/image-files.ts'
import { isStorageError } from '../../errors/app-error.ts'
import { hasContentCredentials, hasMetadata } from '../../formats/jpeg.ts'
import { findOrphans, isMostlyUnlisted } from '../../images/orphans.ts'
import { createVariant, imageFromEngine, isWholeVariant, sha256, variants } from '../../images/processing.ts'
import {
  countStoredImages,
  hasRow,
  replaceStoredImage,
  storedImages,
  type StoredImage,
} from '../../images/stored-images.ts'
import { type ImageProducer, xmpNamespace } from '../../formats/xmp.ts'
import { producerOf } from '../../images/recipe.ts'
import type { Issue, VerifiedSite } from './issue.ts'

/** Number of images that are read concurrently. */
const readConcurrency = 4

/**
 * Images that are missing, damaged, or carry metadata of their engine, as versions before 0.2 stored it; and orphaned
 * images. A missing thumbnail or uncropped copy is no issue: the server creates it on request.
 *
 * @param report called with the number of verified images
 */
export async function* imageIssues(
  site: VerifiedSite,
  report: (done: number, total: number) => void,
): AsyncGenerator<Issue> {
  const total = await countStoredImages(site.db)
  const limit = pLimit(readConcurrency)
  let done = 0
  for await (const batch of storedImages(site.db)) {
    const issues = await Promise.all(batch.map((image) => limit(() => issuesOf(site, image))))
    yield* issues.flat()
    done += batch.length
    report(done, total)
  }
  yield* orphanIssues(site)
}

async function issuesOf(site: VerifiedSite, image: StoredImage): Promise<Issue[]> {
  const { id, folder } = image
  const original = await readIfReadable(site, folder, originalFile)
  if (original === null || sha256(original) !== image.sha256) {
    // Deleting or replacing an image changes its row before its files.
    if (!(await hasRow(site.db, image))) return []
    const state = original ? 'damaged' : 'missing'
    return [{ message: `The original of the image ${id} in the folder ${folder} is ${state}`, fix: null }]
  }
  const producer = hasEngineMetadata(original) ? await readProducer(site, id) : null
  if (producer) {
    return [
      {
        message: `The image ${id} carries metadata of the engine, which may contain the prompt`,
        fix: () => removeEngineMetadata(site, image, producer),
      },
    ]
  }
  const issues: Issue[] = []
  for (const variant of variants) {
    const { file, fit } = variant
    const bytes = await readIfReadable(site, folder, file)
    if (bytes === null || (await isWholeVariant(bytes, variant))) continue
    issues.push({
      message: `The ${fit === 'cover' ? 'thumbnail' : 'copy'} ${file} of the image ${folder} is damaged`,
      async fix() {
        const created = await createVariant(async () => original, variant, await readProducer(site, id))
        if (created) await site.blobs.add(folder, file, created)
      },
    })
  }
  return issues
}

function hasEngineMetadata(original: Uint8Array): boolean {
  return !hasContentCredentials(original) && hasMetadata(original, xmpNamespace)
}

/** Stores the image again under another address: caches and backups rely on files that never change. */
async function removeEngineMetadata(
  site: VerifiedSite,
  stored: StoredImage,
  producer: ImageProducer,
): Promise<void> {
  const original = await site.blobs.read(stored.folder, originalFile)
  if (!original) return
  const image = await imageFromEngine(original, producer)
  const folder = await site.blobs.put(image.files)
  const isReplaced = await site.db.transaction().execute(async (transaction) => {
    if (!(await replaceStoredImage(transaction, stored, { folder, image }))) return false
    await site.blobs.link(transaction, folder)
    await site.blobs.unlink(transaction, [stored.folder])
    return true
  })
  await site.blobs.remove(isReplaced ? stored.folder : folder)
}

/** Returns an empty file for an unreadable one, so that a bad sector does not hide other issues. */
async function readIfReadable(
  { blobs }: VerifiedSite,
  folder: string,
  file: string,
): Promise<Uint8Array | null> {
  try {
    return await blobs.read(folder, file)
  } catch (error) {
    if (!isStorageError(error)) throw error
    return new Uint8Array()
  }
}

async function readProducer({ db }: VerifiedSite, id: string) {
  const image = await db
    .selectFrom('images')
    .select(['engine', 'engine_kind', 'model'])
    .where('id', '=', id)
    .executeTakeFirst()
  return image ? producerOf(image) : null
}

async function* orphanIssues(site: VerifiedSite): AsyncGenerator<Issue> {
  const { images, olderThanDatabase, unfinished, listed } = await findOrphans(site)
  for (const folder of unfinished) {
    yield { message: `The unfinished folder ${folder} is orphaned`, fix: () => site.blobs.remove(folder) }
  }
  const total = `${images.length} of ${listed + images.length} images`
  yield* quarantineIssues(site, images, isMostlyUnlisted(listed, images.length), total)
  const older = `${olderThanDatabase.length} images older than the database`
  yield* quarantineIssues(site, olderThanDatabase, isMostlyUnlisted(0, olderThanDatabase.length), older)
}

/** One issue per orphaned image, or one for all if there are more than crashes explain, or they can't be restored. */
function* quarantineIssues(
  { blobs }: VerifiedSite,
  folders: readonly string[],
  isSuspicious: boolean,
  summary: string,
): Generator<Issue> {
  if (isSuspicious || (folders.length > 0 && !blobs.hasQuarantine)) {
    yield {
      message: `${summary} are orphaned`,
      async fix() {
        for (const folder of folders) await blobs.discard(folder)
      },
      question: blobs.hasQuarantine ? `Move ${summary} to quarantine?` : `Delete ${summary} from the bucket?`,
    }
    return
  }
  for (const folder of folders) {
    yield { message: `The image ${folder} is orphaned`, fix: () => blobs.discard(folder) }
  }
}
