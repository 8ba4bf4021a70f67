import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { dimensions, type ImageSize } from '../../shared/engines.ts'
import { samplePrompts } from '../../shared/sample-prompts.ts'
import { insertPosts } from './post-queries.ts'
import type { Engines } from '../engines/engines.ts'
import { defaultRequest } from '../engines/image-engine.ts'
import { imageFromEngine } from '../images/processing.ts'
import { runEngine } from '../images/generation/worker.ts'
import type { StoredRecipe } from '../images/images.ts'
import type { Needs } from '../images/services.ts'
import { fold, searchText } from '../text/search-text.ts'
import words from './seed-words.json' with { type: 'json' }

/** Number of posts with an image of their own. Later posts show one of these again. */
const imageCount = 500

/** Number of images that are generated at once, so that a running server keeps a processor. */
const concurrency = 2

/** Posts with an image of their own that are added together. */
const imageBatchSize = 20

/** Rows per statement, which is also a transaction. SQLite allows 32,766 values in one. */
const batchSize = 4_000

/** Sizes of the images, each as often as it is listed. */
const sizes: readonly ImageSize[] = [
  '1024x1024',
  '1024x1024',
  '1024x1024',
  '832x1216',
  '896x1152',
  '1152x896',
  '1216x832',
  '1344x768',
]

/** Pause between two batches: longer than the interval at which a running server retries a write. */
const pauseMs = 60

type SeedServices = Needs<'db' | 'blobs' | 'now'> & { readonly engines: Pick<Engines, 'default'> }

/**
 * Adds posts about the sample prompts, by authors without accounts, and reports their number. Posts from before an
 * interruption stay.
 */
export async function seedGallery(
  services: SeedServices,
  count: number,
  report: (done: number, total: number) => void,
): Promise<void> {
  const limit = pLimit(concurrency)
  const images: string[] = []
  for (let done = 0, batch = 0; done < count; done += batch) {
    const ofImages = Math.min(imageCount, count) - done
    const indexes = range(done, ofImages > 0 ? Math.min(imageBatchSize, ofImages) : batchSize, count)
    batch = indexes.length
    if (ofImages > 0) images.push(...(await limit.map(indexes, (index) => generateImage(services, index))))
    else await pause(pauseMs)
    await insertPosts(
      services.db,
      indexes.map((index) => seededPost(services, images, index)),
    )
    report(done + batch, count)
  }
}

function range(start: number, length: number, end: number): number[] {
  return Array.from({ length: Math.min(length, end - start) }, (_, index) => start + index)
}

/** @returns the id of the image */
async function generateImage(services: SeedServices, index: number): Promise<string> {
  const { engines, db, now } = services
  const engine = engines.default
  const { author, prompt } = seedText(index)
  const id = randomUUID()
  const size = pick(sizes, hash(index, 8))
  const [width, height] = dimensions(size)
  const request = { ...defaultRequest(id, prompt), size: { width, height } }
  const { bytes, settings } = await runEngine(engine, request, new AbortController().signal)
  const { files, ...image } = await imageFromEngine(bytes, engine)
  const { drawnFrom = [], notDrawn = [] } = settings
  const recipe: StoredRecipe = { engineLabel: engine.label, size, drawnFrom, notDrawn }
  const folder = await services.blobs.put(files)
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('images')
      .values({
        ...image,
        id,
        owner_id: author,
        source: 'generated',
        prompt,
        search_text: fold(prompt),
        engine: engine.id,
        engine_kind: engine.kind,
        model: engine.model,
        recipe: JSON.stringify(recipe),
        state: 'succeeded',
        folder,
        created_at: now(),
        finished_at: now(),
      })
      .execute()
    await services.blobs.link(transaction, folder)
  })
  return id
}

function seededPost(services: SeedServices, images: readonly string[], index: number) {
  const { author, name, prompt, image } = seedText(index)
  return {
    id: randomUUID(),
    author_id: author,
    image_id: pick(images, image),
    name,
    prompt,
    search_text: searchText(name, prompt),
    created_at: services.now(),
  }
}

/**
 * Returns the index of the image that a post shows: its own, or one of those of the first posts in an order that differs for
 * each round through them.
 */
function imageIndex(index: number): number {
  const round = Math.floor(index / imageCount)
  // A factor without a common divisor with the number of images visits each of them once per round.
  return ((1 + 10 * round) * index) % imageCount
}

const { givenNames, familyNames, styles, lights, places, festivals, hindiStyles, hindiLights, hindiPlaces } =
  words

/**
 * Returns the author and prompt of a seeded post, always the same for an index. The first posts are the sample prompts;
 * later ones continue the sample prompt of their image in different words, so that searches differ in their results.
 *
 * @returns `author` is the id of the author, who has no account; `image` the index of the post whose image it shows
 */
export function seedText(index: number) {
  const image = imageIndex(index)
  const sample = pick(samplePrompts, image)
  const choose = <Item>(items: readonly Item[], use: number) => pick(items, hash(index, use))
  const author = seedAuthor(index)
  if (index < samplePrompts.length) return { ...author, image, prompt: sample }
  const additions = /\p{Script=Devanagari}/u.test(sample)
    ? [
        `${choose(hindiLights, 3)}, ${choose(hindiStyles, 4)}`,
        `${choose(hindiStyles, 4)}, ${choose(hindiPlaces, 5)} की याद`,
        `${choose(hindiPlaces, 5)}, ${choose(hindiLights, 3)}`,
      ]
    : [
        `${choose(lights, 3)}, ${choose(styles, 4)}`,
        `${choose(styles, 4)}, remembering ${choose(festivals, 5)} in ${choose(places, 6)}`,
        `the way they tell it in ${choose(places, 6)}, ${choose(lights, 3)}`,
        `for ${choose(festivals, 5)}, ${choose(lights, 3)}`,
        `seen from a train near ${choose(places, 6)}, ${choose(styles, 4)}`,
      ]
  return { ...author, image, prompt: `${sample}, ${choose(additions, 20)}` }
}

/** Returns the author of a post. A few authors have many posts, and most have few. */
function seedAuthor(index: number): { readonly author: string; readonly name: string } {
  const share = hash(index, 1) / 2 ** 32
  const number = Math.floor(givenNames.length * familyNames.length * share ** 3)
  const round = Math.floor(number / givenNames.length)
  const name = `${pick(givenNames, number)} ${pick(familyNames, number + round)}`.trim()
  return { author: `seed-${number + 1}`, name }
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('The list of texts is empty.')
  return item
}

/** Returns a pseudo-random number, the same for the same post and use. */
function hash(index: number, use: number): number {
  let bits = Math.imul(index + 1, 0x9e_37_79_b1) ^ Math.imul(use, 0x85_eb_ca_6b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x7f_eb_35_2d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x84_6c_a6_8b)
  return (bits ^ (bits >>> 16)) >>> 0
}
