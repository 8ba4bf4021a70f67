import sharp from 'sharp'
import { EngineError } from './engine-error.ts'
import type { EngineRequest, Size } from './image-engine.ts'

/** Factors of engines that enlarge images. */
export const upscaleFactors = [2, 4]

/** Fraction of the requested width and height that a result must have: servers round sides down to multiples of 8. */
const tolerance = 0.9

/** Returns the size of an image, upright, times a factor. */
export async function sizeOf(image: Uint8Array, factor = 1): Promise<Size> {
  const { autoOrient } = await sharp(image).metadata()
  return { width: autoOrient.width * factor, height: autoOrient.height * factor }
}

/**
 * Returns the size of a requested image: without one, that of the server, or one of about its area with the proportions of the
 * reference image, in steps of 8 pixels.
 */
export async function chooseSize(
  { size, references }: Pick<EngineRequest, 'size' | 'references'>,
  own: Size,
): Promise<Size> {
  const [reference] = references
  if (size || !reference) return size ?? own
  const { width, height } = await sizeOf(reference)
  const scale = Math.sqrt((own.width * own.height) / (width * height))
  const toStep = (pixels: number) => Math.max(64, Math.round((pixels * scale) / 8) * 8)
  return { width: toStep(width), height: toStep(height) }
}

/** Verifies that a result is as large as requested, as servers return an image as it is instead of an error. @throws EngineError */
export async function requireEnlarged(result: Uint8Array, source: Uint8Array, factor: number): Promise<void> {
  const [size, least] = await Promise.all([sizeOf(result), sizeOf(source, factor * tolerance)])
  if (size.width >= least.width && size.height >= least.height) return
  const message = 'The image engine did not enlarge the image.'
  throw new EngineError('engine_failed', 'the result is smaller than requested', {}, message)
}
