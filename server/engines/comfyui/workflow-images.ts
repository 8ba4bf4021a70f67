import sharp from 'sharp'
import type { Size } from '../image-engine.ts'

/** Returns the size with the proportions of an image and about the area of another size, in steps of 8 pixels. */
export async function sizeLike(image: Uint8Array, area: Size): Promise<Size> {
  const { autoOrient } = await sharp(image).metadata()
  const scale = Math.sqrt((area.width * area.height) / (autoOrient.width * autoOrient.height))
  const toStep = (pixels: number) => Math.max(64, Math.round((pixels * scale) / 8) * 8)
  return { width: toStep(autoOrient.width), height: toStep(autoOrient.height) }
}

export async function sizeOf(image: Uint8Array, factor: number): Promise<Size> {
  const { autoOrient } = await sharp(image).metadata()
  return { width: autoOrient.width * factor, height: autoOrient.height * factor }
}

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
  const { autoOrient } = await sharp(reference).metadata()
  const { width, height } = autoOrient
  if (!mask) return plainImage({ width, height }, 'white')
  return sharp(mask)
    .autoOrient()
    .resize(width, height, { fit: 'fill' })
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
