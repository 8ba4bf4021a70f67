import { messages } from '../../../shared/errors.ts'
import { AppError } from '../../errors/app-error.ts'
import { imageXmp } from '../../provenance/image-xmp.ts'
import type { ImageEngine } from '../image-engine.ts'
import { readBrief } from './brief.ts'
import { compose } from './compose.ts'
import { renderJpeg } from './render-jpeg.ts'

const NAME = 'rangoli'

/** Goes up whenever the same prompt would come out as another image. */
const MODEL = 'rangoli-1'

const XMP = imageXmp({ name: NAME, model: MODEL })

/** The embedded engine: draws a rangoli from the words of a prompt, the same bytes each time, without a network. */
export function createRangoliEngine(): ImageEngine {
  return {
    name: NAME,
    model: MODEL,
    async *generate(prompt, signal) {
      signal.throwIfAborted()
      const bytes = await draw(prompt)
      signal.throwIfAborted()
      yield { type: 'complete', bytes }
    },
  }
}

async function draw(prompt: string): Promise<Uint8Array> {
  try {
    return await renderJpeg(compose(readBrief(prompt)), XMP)
  } catch (cause) {
    throw new AppError('engine_failed', messages.generateFailed, { cause })
  }
}
