import { randomUUID } from 'node:crypto'
import { samplePrompts } from '../../shared/sample-prompts.ts'
import type { Database } from '../db/open-database.ts'
import type { ImageEngine } from '../engines/image-engine.ts'
import { pictureFromEngine } from '../images/picture.ts'
import { runEngine } from '../images/run-engine.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { searchText } from './search-text.ts'

/** Whose posts they are: nobody can sign in as them. */
const ownerId = 'seed'

const authorNames = [
  'Ananya',
  'रवि',
  'Meera Iyer',
  'Kabir',
  'சுதா',
  'Imran Qureshi',
  'Tashi',
  'Leela',
  'অনির্বাণ',
  'Noor',
  'Joseph',
  'Zoya',
  'हेमंत कुमार',
  'Sana',
  'Aditi Rao',
  'Harpreet',
  'Chitra',
  'Dev',
] as const

/** Rows of one statement; SQLite takes 32,766 values in one. */
const batchSize = 2_000

interface SeedServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly engine: ImageEngine
  readonly now: () => number
}

/**
 * Fills the gallery with posts of the sample prompts. Every prompt gets one real picture, shared by all
 * posts of that prompt.
 *
 * @param report called with the number of posts so far
 */
export async function seedGallery(
  services: SeedServices,
  count: number,
  report: (done: number) => void,
): Promise<void> {
  const images: SeededImage[] = []
  for (const prompt of samplePrompts.slice(0, count))
    images.push({ prompt, id: await makeImage(services, prompt) })

  for (let done = 0; done < count; done += batchSize) {
    const batch = Math.min(batchSize, count - done)
    const posts = Array.from({ length: batch }, (_, index) => seededPost(services, images, done + index))
    await services.db.insertInto('posts').values(posts).execute()
    report(done + batch)
  }
}

interface SeededImage {
  readonly id: string
  readonly prompt: string
}

async function makeImage(services: SeedServices, prompt: string): Promise<string> {
  const { engine, db, now } = services
  const bytes = await runEngine(engine, prompt, new AbortController().signal)
  const picture = await pictureFromEngine(bytes, engine)
  const { sha256, width, height, placeholder, files } = picture
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

function seededPost(services: SeedServices, images: readonly SeededImage[], index: number) {
  const image = images[index % images.length]
  const name = authorNames[index % authorNames.length]
  if (!image || !name) throw new Error('There is nothing to seed the gallery with.')
  return {
    id: randomUUID(),
    author_id: ownerId,
    image_id: image.id,
    name,
    prompt: image.prompt,
    search_text: searchText(name, image.prompt),
    created_at: services.now(),
  }
}
