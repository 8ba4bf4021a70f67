import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { compose } from '../engines/rangoli/compose.ts'
import { readPrompt } from '../engines/rangoli/interpret-prompt.ts'
import { embeddedModel } from '../engines/rangoli/rangoli-engine.ts'

/** Width and height of a cover, in pixels: twice those that pages show. */
const side = 224

/** Returns the path of a style's cover, which changes with the drawing. */
export function coverUrl(styleId: string, words: string): string {
  const digest = createHash('sha256').update(`${embeddedModel} ${side} ${words}`).digest('base64url')
  return `/api/styles/${styleId}/${digest.slice(0, 16)}.webp`
}

/** Draws a cover as WebP with the embedded engine, once per process. A cover has some 10 KB. */
export const drawCover = (words: string) => drawn.forceFetch(words)

const drawn = new LRUCache<string, Uint8Array<ArrayBuffer>>({ max: 300, fetchMethod: draw })

async function draw(words: string): Promise<Uint8Array<ArrayBuffer>> {
  const { design } = await readPrompt(words)
  const image = sharp(Buffer.from(compose(design)))
    .flatten()
    .resize(side)
    .webp({ quality: 78 })
  return new Uint8Array(await image.toBuffer())
}
