import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EngineRequest } from '../image-engine.ts'
import { createRangoliEngine } from './rangoli-engine.ts'
import { requestFor, testImageEngine } from '../../../test/support/image-engine-contract.ts'

async function draw(
  prompt: string,
  engine = createRangoliEngine(),
  settings: Partial<EngineRequest> = {},
): Promise<Uint8Array> {
  const events = []
  const request = { ...requestFor(prompt), ...settings }
  for await (const event of engine.generate(request, new AbortController().signal)) events.push(event)
  const [event, ...more] = events
  if (event?.type !== 'complete' || more.length > 0) throw new Error('expected one complete event')
  return event.bytes
}

/** Takes a quarter of the time of the default size. */
const size = { width: 512, height: 512 }

describe('createRangoliEngine', () => {
  /** Image of the default size. */
  let lotus: Uint8Array
  beforeAll(async () => {
    lotus = await draw('lotus')
  })

  it('returns a square JPEG without chroma subsampling', async () => {
    const metadata = await sharp(lotus).metadata()
    expect(metadata).toMatchObject({ format: 'jpeg', width: 1024, height: 1024, chromaSubsampling: '4:4:4' })
  })

  it('returns the same bytes from every engine, for the default size as without one', async () => {
    const defaultSize = { width: 1024, height: 1024 }
    const again = await draw('lotus', createRangoliEngine(), { size: defaultSize })
    expect(Buffer.from(lotus).equals(again)).toBe(true)
  })

  it.each([...createRangoliEngine().capabilities.sizes, '256x2048', '2048x2048', '264x1000'])(
    'returns an image of exactly %s',
    async (name) => {
      const [width = 0, height = 0] = name.split('x').map(Number)
      const bytes = await draw('lotus', createRangoliEngine(), { size: { width, height } })
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height })
    },
  )

  it('returns the same bytes for the same seed, and others for another', async () => {
    const engine = createRangoliEngine()
    const [first, again, other, none] = await Promise.all(
      [4_294_967_295, 4_294_967_295, 0, null].map((seed) => draw('lotus', engine, { size, seed })),
    )
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    expect(other).not.toEqual(none)
  })

  it('describes the origin of the image in its metadata, without the prompt', async () => {
    const bytes = await draw('zebrafinch')
    const { xmpAsString } = await sharp(bytes).metadata()
    expect(xmpAsString).toContain('xmp:CreatorTool="Rangoli"')
    expect(xmpAsString).toContain('http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia')
    expect(xmpAsString).toContain('rangoli:Model="rangoli-3"')
    expect(xmpAsString).toContain('not an image made by an AI model')
    expect(Buffer.from(bytes).includes('zebrafinch')).toBe(false)
  })

  it.each([
    ['markup', '"><script>alert(1)</script><svg onload=x>]]>&amp;'],
    ['emoji only', '🦚🪔🌊'],
    ['unknown script', '\u{1F9FF}\u{10FFFF}\u0000\uD800'],
    ['four thousand characters', 'peacock '.repeat(500)],
    ['one long word', 'a'.repeat(4000)],
    ['only spaces', '   '],
  ])('draws an image for a prompt of %s', async (_, prompt) => {
    const bytes = await draw(prompt, createRangoliEngine(), { size })
    expect(await sharp(bytes).metadata()).toMatchObject(size)
  })
})

testImageEngine(createRangoliEngine)
