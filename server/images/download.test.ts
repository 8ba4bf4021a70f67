import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { load } from 'exifreader'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { EngineKind } from '../../shared/engines.ts'
import type { Recipe } from '../../shared/images.ts'
import { promptLimit } from '../../shared/limits.ts'
import { tries } from '../../test/fuzz/seed.ts'
import { noisyImage } from '../../test/support/images.ts'
import { images, jumbfSegment, jpegSegment, withSegments } from '../../test/support/openai/images.ts'
import { imageXmp } from '../formats/xmp.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { openDownload, originalOf } from './download.ts'
import { imageFromEngine } from './processing.ts'

const recipe: Recipe = {
  engine: 'forge',
  engineLabel: 'Forge',
  model: 'sd',
  prompt: 'A lotus',
  negativePrompt: 'text',
  size: '64x48',
  seed: 7,
  steps: 20,
  sampler: 'Euler a',
  scheduler: null,
  cfgScale: 7,
  strength: null,
  referenceImageIds: [],
  remixOf: null,
  drawnFrom: null,
  notDrawn: null,
}

const image = { folder: 'folder', engine: 'forge', engine_kind: 'automatic1111', model: 'sd' } as const

/** A store of one file, which is read in chunks. */
function storeOf(file: Uint8Array, chunkBytes: number) {
  const opened: Readable[] = []
  const chunks: Uint8Array[] = []
  for (let at = 0; at < file.length; at += chunkBytes) chunks.push(file.subarray(at, at + chunkBytes))
  const stream = () => {
    const readable = Readable.from(chunks)
    opened.push(readable)
    return readable
  }
  const blobs = { open: () => Promise.resolve({ size: file.length, stream }) } as unknown as BlobStore
  return { blobs, opened }
}

async function download(
  file: Uint8Array,
  {
    shown = recipe,
    kind = 'automatic1111',
    chunkBytes = 64 * 1024,
  }: { shown?: Recipe | null; kind?: EngineKind; chunkBytes?: number } = {},
): Promise<Buffer> {
  const opened = await openDownload(storeOf(file, chunkBytes), { ...image, engine_kind: kind }, shown)
  if (!opened) throw new Error('The file was not found.')
  const bytes = await buffer(opened.stream)
  expect(bytes.length).toBe(opened.size)
  return bytes
}

async function storedFile(bytes: Uint8Array, kind: EngineKind = 'automatic1111'): Promise<Uint8Array> {
  const { files } = await imageFromEngine(bytes, { kind, model: 'sd' })
  return files['original.jpg'] ?? Buffer.of()
}

const pixels = (jpeg: Uint8Array) => sharp(jpeg, { failOn: 'warning' }).raw().toBuffer()
const tagsOf = (jpeg: Buffer) => load(jpeg, { expanded: true })

const plainFile = async () => storedFile(await noisyImage().jpeg().toBuffer())

describe('openDownload', () => {
  test.each<[string, EngineKind, () => Promise<Uint8Array>]>([
    ['a plain JPEG', 'automatic1111', () => noisyImage().jpeg().toBuffer()],
    ['a progressive one', 'openai', () => noisyImage().jpeg({ progressive: true }).toBuffer()],
    ['one with a color profile', 'chat', () => noisyImage().withIccProfile('p3').jpeg().toBuffer()],
    ['a PNG', 'comfyui', () => noisyImage().png().toBuffer()],
    ['a drawing', 'rangoli', () => noisyImage().jpeg().toBuffer()],
  ])('changes no pixel of %s, and can be undone', async (_, kind, create) => {
    const file = await storedFile(await create(), kind)
    for (const chunkBytes of [50, 100_000]) {
      const bytes = await download(file, { kind, chunkBytes })
      expect((await pixels(bytes)).equals(await pixels(file))).toBe(true)
      expect((await sharp(bytes).metadata()).icc).toEqual((await sharp(file).metadata()).icc)
      expect(tagsOf(bytes).exif).toHaveProperty('UserComment')
      expect(Buffer.from(originalOf(bytes) ?? []).equals(file)).toBe(true)
    }
  })

  test('names the prompt as that of a model only for models', async () => {
    const file = await plainFile()
    expect(tagsOf(await download(file)).xmp).toHaveProperty('AIPromptInformation')
    const pattern = tagsOf(await download(file, { kind: 'rangoli' })).xmp
    expect(pattern).not.toHaveProperty('AIPromptInformation')
    expect(pattern).toMatchObject({ Prompt: { value: 'A lotus' } })
  })

  test.each([
    ['an upload', null, images.jpeg],
    ['a JPEG with content credentials', recipe, images.signed],
    [
      'one whose content credentials are large',
      recipe,
      withSegments(
        images.jpeg,
        jumbfSegment('c2pa'),
        ...Array.from({ length: 40 }, () => jpegSegment(0xeb, Buffer.alloc(60_000))),
      ),
    ],
    ['a truncated file', recipe, images.jpeg.subarray(0, 60)],
  ])('sends %s byte for byte', async (_, shown, file) => {
    expect((await download(file, { shown })).equals(file)).toBe(true)
    expect((await download(file, { shown, chunkBytes: Math.ceil(file.length / 500) })).equals(file)).toBe(
      true,
    )
  })

  test('keeps the longest texts that fit', async () => {
    const file = await plainFile()
    const { codeUnits } = promptLimit
    const longest = (character: string) => ({
      ...recipe,
      prompt: character.repeat(codeUnits / character.length),
      negativePrompt: character.repeat(codeUnits / character.length),
    })
    for (const [character, properties] of [
      ['a', ['Prompt', 'NegativePrompt', 'AIPromptInformation']],
      ['é', ['Prompt', 'NegativePrompt']],
      ['क', []],
    ] as const) {
      const { exif, xmp = {} } = tagsOf(await download(file, { shown: longest(character) }))
      expect(exif).toHaveProperty('UserComment')
      expect(['Prompt', 'NegativePrompt', 'AIPromptInformation'].filter((name) => name in xmp)).toEqual(
        properties,
      )
      expect(xmp).toMatchObject({ Seed: { value: '7' } })
    }
  })

  test('leaves out characters that XML does not allow', async () => {
    const file = await plainFile()
    const { xmp } = tagsOf(await download(file, { shown: { ...recipe, sampler: 'a\u0000\u001b\uffff]]>b' } }))
    expect(xmp).toMatchObject({ Sampler: { value: 'a]]>b' } })
  })

  test('has an entity tag that depends on the recipe', async () => {
    const file = await plainFile()
    const etags = await Promise.all(
      [recipe, recipe, { ...recipe, seed: 8 }].map(async (shown) => {
        const opened = await openDownload(storeOf(file, 1_000), image, shown)
        opened?.stream.destroy()
        return opened?.etag
      }),
    )
    expect(etags[0]).toBe(etags[1])
    expect(etags[0]).not.toBe(etags[2])
  })

  test('closes the file when the download is aborted', async () => {
    const file = await storedFile(await noisyImage(900, 700).jpeg().toBuffer())
    const store = storeOf(file, 1_000)
    const opened = await openDownload(store, image, recipe)
    opened?.stream.destroy()
    await expect.poll(() => store.opened.map(({ destroyed }) => destroyed)).toEqual([true])
  })
})

describe('originalOf', () => {
  test('is null for other files', async () => {
    const file = await plainFile()
    for (const other of [file, images.png, images.signed, Buffer.of()]) expect(originalOf(other)).toBeNull()
  })

  test('never fails', async () => {
    const bytes = await download(await storedFile(images.jpeg))
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 20_000 }),
        (at, noise) => {
          const damaged = Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)])
          expect(() => originalOf(damaged)).not.toThrow()
        },
      ),
      tries(100),
    )
    // Each invalid byte would become three.
    const packet = Buffer.from(imageXmp({ kind: 'openai', model: 'MODEL' }))
    const at = packet.indexOf('MODEL')
    const invalid = Buffer.concat([
      Buffer.from('http://ns.adobe.com/xap/1.0/\0'),
      packet.subarray(0, at),
      Buffer.alloc(60_000, 0xff),
      packet.subarray(at),
    ])
    expect(() => originalOf(withSegments(images.jpeg, jpegSegment(0xe1, invalid)))).not.toThrow()
  })
})
