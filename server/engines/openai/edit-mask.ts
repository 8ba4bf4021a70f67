import sharp from 'sharp'
import { EngineError } from '../engine-error.ts'

/** Gray level from which a mask counts as white: JPEG compression changes plain white and black a little. */
const whiteLevel = 128

/**
 * Creates the mask of an edit, a PNG of the size of the reference image. White areas become transparent, as the Images API
 * redraws what is transparent; they stay white, as stable-diffusion.cpp ignores transparency and redraws what is white.
 *
 * @throws EngineError if one of the files cannot be decoded
 */
export async function createEditMask(mask: Uint8Array, reference: Uint8Array): Promise<Buffer> {
  try {
    const { width, height } = await sharp(reference).metadata()
    const white = await sharp(mask)
      .flatten()
      .resize(width, height, { fit: 'fill' })
      .greyscale()
      .threshold(whiteLevel)
      .raw()
      .toBuffer()
    const alpha = Buffer.from(white.map((level) => 255 - level))
    const plane = { raw: { width, height, channels: 1 } } as const
    return await sharp(white, plane)
      .joinChannel([white, white, alpha], plane)
      .toColourspace('srgb')
      .png()
      .toBuffer()
  } catch {
    throw new EngineError('engine_failed', 'the mask or the reference image cannot be decoded')
  }
}
