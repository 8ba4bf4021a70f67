import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { samplePrompts } from '../../shared/sample-prompts.ts'
import type { Database } from '../db/open-database.ts'
import type { ImageEngine } from '../engines/image-engine.ts'
import { imageFromEngine } from '../images/processing.ts'
import { runEngine } from '../images/generation/run-engine.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { searchText } from './search/normalize.ts'
import { seedText } from './seed-texts.ts'

/** Whose posts they are: nobody can sign in as them. */
const ownerId = 'seed'

/** Rows of one statement, which is also a transaction; SQLite takes 32,766 values in one. */
const batchSize = 4_000

/** Between two batches, in milliseconds: a running server that waits to write tries again every 50. */
const gap = 60

interface SeedServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly engine: ImageEngine
  readonly now: () => number
}

/**
 * Fills the gallery with posts about the sample prompts. Every prompt gets one real image, shared by all posts that
 * begin with it. What is there when it is interrupted is whole, and stays.
 *
 * @param report called with the number of posts so far
 */
export async function seedGallery(
  services: SeedServices,
  count: number,
  report: (done: number) => void,
): Promise<void> {
  const images = new Map<string, string>()
  for (const prompt of samplePrompts.slice(0, count)) images.set(prompt, await makeImage(services, prompt))

  for (let done = 0; done < count; done += batchSize) {
    if (done > 0) await pause(gap)
    const batch = Math.min(batchSize, count - done)
    const posts = Array.from({ length: batch }, (_, index) => seededPost(services, images, done + index))
    await services.db.insertInto('posts').values(posts).execute()
    report(done + batch)
  }
}

async function makeImage(services: SeedServices, prompt: string): Promise<string> {
  const { engine, db, now } = services
  const bytes = await runEngine(engine, prompt, new AbortController().signal)
  const image = await imageFromEngine(bytes, engine)
  const { sha256, width, height, placeholder, files } = image
  const id = randomUUID()
  await db
    .insertInto('images')
    .values({
      id,
      owner_id: ownerId,
      source: 'generated',
      prompt,
      engine: engine.name,
      model: engine.model,
      state: 'ready',
      folder: await services.blobs.put(files),
      sha256,
      width,
      height,
      placeholder,
      created_at: now(),
      finished_at: now(),
    })
    .execute()
  return id
}

function seededPost(services: SeedServices, images: ReadonlyMap<string, string>, index: number) {
  const { sample, name, prompt } = seedText(index)
  const imageId = images.get(sample)
  if (imageId === undefined) throw new Error(`There is no image of "${sample}".`)
  return {
    id: randomUUID(),
    author_id: ownerId,
    image_id: imageId,
    name,
    prompt,
    search_text: searchText(name, prompt),
    created_at: services.now(),
  }
}
