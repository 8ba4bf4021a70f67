import sharp, { type Sharp } from 'sharp'

/** Pixels of a drawing that become one, in both directions: those of a block of a JPEG. */
const block = 8

interface SharpMethods {
  /** Sharp keeps the image in a property without a public type. */
  readonly options: { readonly input: { buffer?: Buffer } }
  toBuffer: (options?: object) => Promise<unknown>
}

/**
 * Makes sharp draw SVGs of a given size as mosaics of that size: drawing, encoding and decoding take most of the time until an image
 * is shown, and browser tests generate hundreds.
 */
function drawCoarsely(prototype: SharpMethods): void {
  const compute = prototype.toBuffer
  prototype.toBuffer = async function (this: SharpMethods & Sharp, options) {
    const { input } = this.options
    const svg = input.buffer?.subarray(0, 5).equals(Buffer.from('<svg ')) === true ? String(input.buffer) : ''
    const [size = '', width, height] =
      / width="(\d+)" height="(\d+)"/.exec(svg.slice(0, svg.indexOf('>'))) ?? []
    const sides = [Number(width), Number(height)]
    if (sides.every((side) => side % block === 0)) {
      const [small, low] = sides.map((side) => side / block)
      const drawing = sharp(Buffer.from(svg.replace(size, ` width="${small}" height="${low}"`)))
      input.buffer = (await compute.call(drawing.png({ compressionLevel: 0 }))) as Buffer
      this.resize(sides[0], sides[1], { kernel: 'nearest', fit: 'fill' })
    }
    return compute.call(this, options)
  }
}

drawCoarsely(Object.getPrototypeOf(sharp()) as SharpMethods)
