/**
 * Generates an image, reports its progress, and saves it as a file:
 *
 *     RANGOLI_TOKEN=… node generate.js "A peacock in the monsoon" [--share NAME]
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  createRangoliClient,
  isRangoliError,
  watchImages,
  type ImageEvent,
  type SucceededImage,
} from 'rangoli-client'

const usage = 'Usage: RANGOLI_TOKEN=… node generate.js PROMPT [--share NAME]'

const site = process.env['RANGOLI_URL'] ?? 'http://localhost:3000'
const rangoli = createRangoliClient({ url: site, token: process.env['RANGOLI_TOKEN'] })

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { share: { type: 'string' } },
  })
  await run(positionals.join(' '), values.share)
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function run(prompt: string, name: string | undefined): Promise<void> {
  if (prompt === '') throw new Error(usage)
  const image = await generate(prompt)
  const file = `download-${image.id}.jpg`
  await writeFile(file, await download(image))
  console.log(`${image.width} × ${image.height} pixels are in ${file}`)

  if (name !== undefined) {
    const post = await rangoli.posts.create.mutate({ name, prompt: image.prompt, imageId: image.id })
    console.log(`Shared by ${post.name}: ${new URL(post.photo, site).href}`)
  }
  const { used, limit } = await rangoli.images.quota.query()
  console.log(`Generated today: ${used} of ${limit}`)
}

/** Generates an image and watches it until it is stored. */
async function generate(prompt: string): Promise<SucceededImage> {
  // Sent again with the same key, after a lost response, the site starts no second generation.
  const requestKey = crypto.randomUUID()
  const { images } = await rangoli.images.generate.mutate({ prompt, requestKey })
  for await (const event of watchImages(
    rangoli,
    images.map(({ id }) => id),
  )) {
    console.error(describe(event))
    if (event.type === 'state' && event.image.state === 'succeeded') return event.image as SucceededImage
  }
  throw new Error('The site generated no image.')
}

function describe(event: ImageEvent): string {
  switch (event.type) {
    case 'state': {
      const { state, failure, prompt } = event.image
      if (state === 'failed') return `Failed: ${failure}`
      const usual = event.usualSeconds === null ? '' : `; usually ${Math.ceil(event.usualSeconds)} s`
      return state === 'running' ? `Generating “${prompt}”${usual}` : state
    }
    case 'queue':
      return `Waiting, ${event.position} before it`
    case 'progress':
      return `${Math.round(event.progress * 100)} %`
    case 'preview':
      return `A preview of ${event.dataUrl.length} characters`
    case 'stopping':
      return 'The site is shutting down, and tries to finish it first'
  }
}

/** Downloads the file of an image. Addresses of files can't be guessed, so they need no token. */
async function download({ photo }: SucceededImage): Promise<Uint8Array> {
  const answer = await fetch(new URL(photo, site))
  if (!answer.ok) throw new Error(`The image could not be downloaded: ${answer.status}`)
  return new Uint8Array(await answer.arrayBuffer())
}

function explain(error: unknown): string {
  if (isRangoliError(error)) return `${error.message} (${error.data.httpStatus}, ${error.data.reason})`
  return error instanceof Error ? error.message : String(error)
}
