import sharp from 'sharp'
import type { Size } from '../image-engine.ts'
import { sizeOf } from '../image-sizes.ts'

/**
 * Scales a reference image to cover a size, and crops what exceeds it.
 *
 * @param mask file whose white areas become transparent, which is what LoadImage turns into a mask; null for none
 * @returns a PNG
 */
export async function fitReference(
  image: Uint8Array,
  mask: Uint8Array | null,
  { width, height }: Size,
): Promise<Buffer> {
  const fit = (file: Uint8Array) => sharp(file).autoOrient().resize(width, height, { fit: 'cover' })
  const reference = fit(image).flatten().toColourspace('srgb')
  if (!mask) return reference.png().toBuffer()
  const opacity = await fit(mask)
    .flatten({ background: 'black' })
    .greyscale()
    .negate()
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  return reference
    .joinChannel(opacity, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
}

/**
 * Scales a mask to the size of a reference image.
 *
 * @param mask null for one that is white everywhere
 * @returns a PNG
 */
export async function fitMask(mask: Uint8Array | null, reference: Uint8Array): Promise<Buffer> {
  const size = await sizeOf(reference)
  if (!mask) return plainImage(size, 'white')
  return sharp(mask)
    .autoOrient()
    .resize({ ...size, fit: 'fill' })
    .flatten({ background: 'black' })
    .toColourspace('srgb')
    .png()
    .toBuffer()
}

export function plainImage(size: Size, background: string): Promise<Buffer> {
  return sharp({ create: { ...size, channels: 3, background } })
    .png()
    .toBuffer()
}
