/**
 * Makes an image of a prompt, tells how it goes, and keeps it as a file:
 *
 *     RANGOLI_TOKEN=… node generate.js "A peacock in the monsoon" [--share NAME]
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createRangoliClient, isRangoliError, type GenerationEvent, type ReadyImage } from 'rangoli-client'

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

/** Reads the events of one image until it is there. */
async function generate(prompt: string): Promise<ReadyImage> {
  // A key of our own: asked again with it, after a broken connection, the site makes no second image.
  const requestKey = crypto.randomUUID()
  for await (const event of await rangoli.images.generate.mutate({ prompt, requestKey })) {
    console.error(describe(event))
    if (event.type === 'ready') return event.image
  }
  throw new Error('The site ended the stream without an image.')
}

function describe(event: GenerationEvent): string {
  switch (event.type) {
    case 'accepted':
      return event.usualSeconds === null
        ? `Asked for “${event.prompt}”`
        : `Asked for “${event.prompt}”; such images take about ${Math.ceil(event.usualSeconds)} s`
    case 'queued':
      return `Waiting, ${event.position} before it`
    case 'started':
      return 'Painting …'
    case 'partial':
      return `There is something to be seen (${event.photo.length} characters of it)`
    case 'stopping':
      return 'The site is being stopped, and still tries to finish it'
    case 'ready':
      return 'Ready'
  }
}

/** One's own images need no token either to be downloaded: their addresses can't be guessed. */
async function download({ photo }: ReadyImage): Promise<Uint8Array> {
  const answer = await fetch(new URL(photo, site))
  if (!answer.ok) throw new Error(`The image could not be downloaded: ${answer.status}`)
  return new Uint8Array(await answer.arrayBuffer())
}

function explain(error: unknown): string {
  if (isRangoliError(error)) return `${error.message} (${error.data.httpStatus}, ${error.data.reason})`
  return error instanceof Error ? error.message : String(error)
}
