/**
 * Generates an image, reports its progress, and saves it as a file:
 *
 *     RANGOLI_TOKEN=… node generate.js "A peacock in the monsoon" [--share NAME]
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  createRangoliClient,
  generateImage,
  GenerationError,
  isRangoliError,
  type GenerationEvent,
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
  // Ctrl+C cancels the generation. A second one ends the program.
  const interruption = new AbortController()
  process.once('SIGINT', () => interruption.abort(new Error('Canceled.')))

  const generation = generateImage(rangoli, { prompt }, { signal: interruption.signal })
  for await (const event of generation) console.error(describe(event))
  const { image } = await generation

  const file = `download-${image.id}.jpg`
  const answer = await fetch(image.url)
  if (!answer.ok) throw new Error(`The image could not be downloaded: ${answer.status}`)
  await writeFile(file, new Uint8Array(await answer.arrayBuffer()))
  console.log(`${image.width} × ${image.height} pixels are in ${file}`)

  if (name !== undefined) {
    const post = await rangoli.posts.create.mutate({ name, prompt: image.prompt, imageId: image.id })
    console.log(`Shared by ${post.name}: ${new URL(post.photo, site).href}`)
  }
  const { used, limit } = await rangoli.images.quota.query()
  console.log(`Generated today: ${used} of ${limit}`)
}

function describe(event: GenerationEvent): string {
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
    case 'finished':
      return event.image.url
  }
}

function explain(error: unknown): string {
  if (isRangoliError(error)) return `${error.message} (${error.data.httpStatus}, ${error.data.reason})`
  if (error instanceof GenerationError) return `${error.message} (${error.reason})`
  return error instanceof Error ? error.message : String(error)
}
