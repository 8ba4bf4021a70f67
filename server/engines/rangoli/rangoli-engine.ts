import sharp from 'sharp'
import { messages } from '../../../shared/errors.ts'
import { AppError } from '../../errors/app-error.ts'
import { imageXmp } from '../../formats/xmp.ts'
import type { EngineCapabilities } from '../../../shared/engines.ts'
import { type EngineRequest, type ImageEngine, promptOnly } from '../image-engine.ts'
import { compose } from './compose.ts'
import { describeDrawing, readPrompt } from './interpret-prompt.ts'

/** Version of the algorithm. Increment it with every change that gives a prompt another image. */
export const embeddedModel = 'rangoli-3'

const XMP = imageXmp({ kind: 'rangoli', model: embeddedModel })

const capabilities: EngineCapabilities = {
  ...promptOnly,
  sizes: ['1024x1024', '832x1216', '1216x832', '768x1344', '1344x768', '896x1152', '1152x896', '512x512'],
  customSizes: { min: 256, max: 2048, step: 8 },
  seed: true,
}

/**
 * Embedded engine that draws a symmetric pattern from the words of a prompt. Works offline; the same prompt, size and seed
 * always give the same bytes.
 */
export function createRangoliEngine(
  { id, label }: Pick<ImageEngine, 'id' | 'label'> = { id: 'rangoli', label: 'Patterns' },
): ImageEngine {
  return {
    id,
    kind: 'rangoli',
    label,
    model: embeddedModel,
    capabilities,
    serialKey: null,
    isDeterministic: true,
    canResume: false,
    check: () => Promise.resolve({ models: [embeddedModel] }),
    async *generate(request, signal) {
      signal.throwIfAborted()
      const { bytes, drawnFrom, notDrawn } = await draw(request)
      signal.throwIfAborted()
      yield { type: 'complete', bytes, settings: { drawnFrom, notDrawn } }
    },
  }
}

async function draw({ prompt, size, seed }: EngineRequest) {
  try {
    const reading = await readPrompt(prompt, seed)
    const svg = compose(reading.design, size ?? undefined)
    return { bytes: await renderJpeg(svg), ...describeDrawing(reading, svg) }
  } catch (cause) {
    throw new AppError('engine_failed', messages.generateFailed, { cause })
  }
}

/** Rasterizes an SVG on libvips' threads, and encodes a JPEG with XMP metadata. */
async function renderJpeg(svg: string): Promise<Uint8Array> {
  return sharp(Buffer.from(svg))
    .flatten()
    .withXmp(XMP)
    .jpeg({ quality: 88, chromaSubsampling: '4:4:4' })
    .toBuffer()
}
