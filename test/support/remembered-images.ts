import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { partsWithoutLabel } from './labelled-jpegs.ts'

type Output = Buffer | { readonly data: Buffer; readonly info: OutputInfo }

/** Settings of an image that sharp keeps in a property without a public type. */
interface Settings {
  readonly input: { readonly buffer?: Uint8Array }
  readonly composite: readonly unknown[]
  readonly formatOut: string
  kernel: string
  webpEffort: number
}

interface SharpMethods {
  readonly options: Settings
  toBuffer: (options?: object) => Promise<Output>
}

const maxBytes = 32_000_000

/** Effort of WebP encoders, which is 4 by default. */
const maxWebpEffort = 0

/** Interpolation of resized images, by default of 36 pixels instead of one. */
const kernel = 'nearest'

/** Keys of pixels that were returned, whose bytes are many. */
const keysOfPixels = new WeakMap<Uint8Array, readonly string[]>()

const installed = Symbol.for('rangoli.test.rememberedImages')

/**
 * Makes sharp remember what it computed from the same bytes with the same settings, except for labels of JPEGs, and resize
 * and encode images in less than half the time with a lower quality. Thumbnails take most of the time of a test's generation, and most tests generate the same
 * few images. Failures are not remembered.
 */
function rememberImages(prototype: SharpMethods): void {
  const outputs = new LRUCache<string, Output>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  const compute = prototype.toBuffer
  prototype.toBuffer = async function (this: SharpMethods, options) {
    this.options.kernel = kernel
    this.options.webpEffort = Math.min(this.options.webpEffort, maxWebpEffort)
    const { input, composite } = this.options
    if (!input.buffer || composite.length > 0) return compute.call(this, options)
    const hash = createHash('sha1')
    for (const part of keysOfPixels.get(input.buffer) ?? partsWithoutLabel(input.buffer)) hash.update(part)
    const key = hash
      .update(JSON.stringify([{ ...this.options, input: { ...input, buffer: null } }, options]))
      .digest('base64')
    const output = outputs.get(key) ?? (await compute.call(this, options))
    outputs.set(key, output)
    const copy = copyOf(output)
    if (this.options.formatOut === 'raw') keysOfPixels.set(bytesOf(copy), [key])
    return copy
  }
}

const bytesOf = (output: Output) => (Buffer.isBuffer(output) ? output : output.data)

const sizeOf = (output: Output) => bytesOf(output).length + 1

function copyOf(output: Output): Output {
  const bytes = Buffer.from(bytesOf(output))
  return Buffer.isBuffer(output) ? bytes : { data: bytes, info: { ...output.info } }
}

// A worker runs this for each test file, with the same sharp.
const prototype = Object.getPrototypeOf(sharp()) as Sharp & SharpMethods & { [installed]?: true }
if (!prototype[installed]) {
  prototype[installed] = true
  rememberImages(prototype)
}
