import sharp from 'sharp'
import { EngineError } from './engine-error.ts'

/** Factors of engines that enlarge images. */
export const upscaleFactors = [2, 4]

/** Fraction of the requested width and height that a result must have: servers round sides down to multiples of 8. */
const tolerance = 0.9

/** Verifies that a result is as large as requested, as servers return an image as it is instead of an error. @throws EngineError */
export async function requireEnlarged(result: Uint8Array, source: Uint8Array, factor: number): Promise<void> {
  const [{ width, height }, { autoOrient: from }] = await Promise.all([
    sharp(result).metadata(),
    sharp(source).metadata(),
  ])
  const least = factor * tolerance
  if (width >= from.width * least && height >= from.height * least) return
  const message = 'The image engine did not enlarge the image.'
  throw new EngineError('engine_failed', 'the result is smaller than requested', {}, message)
}
