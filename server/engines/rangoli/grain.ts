import { createRandom } from './random.ts'

const TILE = 256

/** A tile of fine powder noise, grey around the middle: raw greyscale pixels with alpha, to be laid over an image. */
export const grain = {
  pixels: drawGrain(),
  shape: { width: TILE, height: TILE, channels: 4 as const },
}

function drawGrain(): Buffer {
  const random = createRandom('grain')
  const pixels = Buffer.alloc(TILE * TILE * 4)
  for (let index = 0; index < TILE * TILE; index++) {
    const speck = random.between(-1, 1) + random.between(-1, 1)
    pixels.fill(speck > 0 ? 255 : 0, index * 4, index * 4 + 3)
    pixels[index * 4 + 3] = Math.round(Math.abs(speck) * 9)
  }
  return pixels
}
