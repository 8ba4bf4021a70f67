import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import sharp from 'sharp'
import { thumbnailSizes } from '../shared/image-files.ts'
import { samplePrompts } from '../shared/sample-prompts.ts'
import { parseConfig } from '../server/config/config.ts'
import { createServices } from '../server/services.ts'
import type { Services } from '../server/trpc/context.ts'
import { defaultRequest, type ImageEngine } from '../server/engines/image-engine.ts'
import { createRangoliEngine } from '../server/engines/rangoli/rangoli-engine.ts'
import { runEngine } from '../server/images/generation/worker.ts'
import { emptyFolder } from './built-server.ts'
import { compare, timed, type Print } from './measure.ts'

const rounds = 40
/** Number of different images. */
const imageCount = 8

/** Time between an engine's last byte and the image being ready, compared with the same encodes by sharp alone. */
export async function run(print: Print): Promise<void> {
  const images = await Promise.all(samplePrompts.slice(0, imageCount).map(draw))
  const handed = new Map<string, number>()
  await using folder = await emptyFolder()
  const config = parseConfig({ DAILY_IMAGE_LIMIT: '100000' }, folder.path)
  const engine = servingEngine(images, handed)
  await using services = await createServices(config, pino({ level: 'silent' }), { engine })
  const { ours, other, ratio } = await compare(
    rounds,
    async (round) => {
      await generate(services, `user-${round}`, String(round))
      return performance.now() - (handed.get(String(round)) ?? NaN)
    },
    (round) => timed(() => encodeAlone(images[round % images.length] ?? new Uint8Array())),
  )
  print(
    `generation: last byte to ready ${ours.toFixed(1)} ms, the encodes alone ${other.toFixed(1)} ms (medians)`,
  )
  print(`generation: ratio, median of ${rounds} pairs     ${ratio.toFixed(2)} (at most 1.3)`)
}

async function draw(prompt: string): Promise<Uint8Array> {
  const request = defaultRequest(randomUUID(), prompt)
  return (await runEngine(createRangoliEngine(), request, new AbortController().signal)).bytes
}

/** An engine that returns finished images and records when. */
function servingEngine(images: readonly Uint8Array[], handed: Map<string, number>): ImageEngine {
  return {
    ...createRangoliEngine(),
    model: 'bench',
    isDeterministic: false,
    async *generate({ prompt }) {
      const bytes = images[Number(prompt) % images.length]
      if (!bytes) throw new Error('There is no image to serve.')
      handed.set(prompt, performance.now())
      yield { type: 'complete', bytes }
    },
  }
}

/** The minimum per image: thumbnails, and the pixels of the placeholder. */
async function encodeAlone(bytes: Uint8Array): Promise<void> {
  const thumbnails = thumbnailSizes.map((size) =>
    sharp(bytes).resize(size, size, { fit: 'cover' }).webp({ quality: 80 }).toBuffer(),
  )
  await Promise.all([
    ...thumbnails,
    sharp(bytes).resize(100, 100, { fit: 'inside' }).ensureAlpha().raw().toBuffer(),
  ])
}

async function generate(services: Services, userId: string, prompt: string): Promise<void> {
  const viewer = { id: userId, firstName: 'Bench', imageUrl: null, role: 'member' as const }
  const [image] = await services.generations.generate(viewer, { prompt })
  if (image) await services.generations.waitForOriginal(viewer, image.id)
}
