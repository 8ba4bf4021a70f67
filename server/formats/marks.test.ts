import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cpuTime } from '../../test/support/cpu-time.ts'
import { withWebpChunk } from '../../test/support/images.ts'
import { images, jumbfSegment, withSegments } from '../../test/support/openai/images.ts'
import { withPngChunk } from './image-files.ts'
import { keptSourceType, readMarks } from './marks.ts'
import { imageXmp, markXmp } from './xmp.ts'

const types = 'http://cv.iptc.org/newscodes/digitalsourcetype/'
const infotext =
  'a lighthouse\nSteps: 28, Sampler: DPM++ 2M, CFG scale: 6.5, Seed: 42, Size: 832x1216, Model: sdxl'
const graph = {
  '3': { class_type: 'KSampler', inputs: { seed: 7, positive: ['6', 0], latent_image: ['5', 0] } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a bottle' } },
}

const marksOf = async (bytes: Uint8Array) => readMarks(bytes, await sharp(bytes).metadata())
const withXmp = (xmp: string) => sharp(images.jpeg).withXmp(xmp).toBuffer()
const withText = (keyword: string, text: string) =>
  withPngChunk(images.png, 'tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'))
const packet = (property: string) => `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
  xmlns:ext="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" ${property}</rdf:RDF></x:xmpmeta>`
const manifest = (type: string) => Buffer.from(`jumb….digitalSourceTypex${types}${type}kdescription`)

const none = { sourceType: null, generator: null, hasCredentials: false }

test.each<[string, () => Buffer | Promise<Buffer>, object | null, kept: string | null]>([
  ['no metadata', () => images.jpeg, null, null],
  ['a comment that is no settings', () => withText('Comment', 'Seed: of hope'), null, null],
  [
    'a source type as an attribute',
    () => withXmp(packet(`ext:DigitalSourceType="${types}trainedAlgorithmicMedia"/>`)),
    { ...none, sourceType: 'trainedAlgorithmicMedia' },
    'trainedAlgorithmicMedia',
  ],
  [
    'a source type without its address, as an element',
    () =>
      withXmp(
        packet(
          '><ext:DigitalSourceType>compositeWithTrainedAlgorithmicMedia</ext:DigitalSourceType></rdf:Description>',
        ),
      ),
    { ...none, sourceType: 'compositeWithTrainedAlgorithmicMedia' },
    'compositeWithTrainedAlgorithmicMedia',
  ],
  [
    'the source type of a camera',
    () => withXmp(packet(`ext:DigitalSourceType="${types}digitalCapture"/>`)),
    { ...none, sourceType: 'digitalCapture' },
    null,
  ],
  ['an unknown source type', () => withXmp(packet(`ext:DigitalSourceType="${types}magic"/>`)), null, null],
  [
    'the mark of a pattern of this program',
    () => withXmp(imageXmp({ kind: 'rangoli', model: 'rangoli-1' })),
    { ...none, sourceType: 'algorithmicMedia' },
    'algorithmicMedia',
  ],
  [
    'the mark of our copy of an upload',
    () => withXmp(markXmp('trainedAlgorithmicMedia')),
    { ...none, sourceType: 'trainedAlgorithmicMedia' },
    'trainedAlgorithmicMedia',
  ],
  [
    'settings in a PNG',
    () => withText('parameters', infotext),
    { ...none, generator: 'AUTOMATIC1111' },
    'trainedAlgorithmicMedia',
  ],
  [
    'compressed settings in a PNG',
    () =>
      withPngChunk(
        images.png,
        'zTXt',
        Buffer.concat([Buffer.from('prompt\0\0'), deflateSync(JSON.stringify(graph))]),
      ),
    { ...none, generator: 'ComfyUI' },
    'trainedAlgorithmicMedia',
  ],
  [
    'settings in the EXIF of a WebP',
    () =>
      sharp(images.webp)
        .withExif({ IFD0: { Make: `prompt:${JSON.stringify(graph)}` } })
        .webp()
        .toBuffer(),
    { ...none, generator: 'ComfyUI' },
    'trainedAlgorithmicMedia',
  ],
  [
    'settings in the comment of a JPEG',
    () =>
      sharp(images.jpeg)
        .withExif({ IFD2: { UserComment: infotext } })
        .jpeg()
        .toBuffer(),
    { ...none, generator: 'AUTOMATIC1111' },
    'trainedAlgorithmicMedia',
  ],
  ['Content Credentials of a JPEG', () => images.signed, { ...none, hasCredentials: true }, null],
  [
    'Content Credentials of a PNG',
    () => withPngChunk(images.png, 'caBX', Buffer.from('signed')),
    { ...none, hasCredentials: true },
    null,
  ],
  [
    'Content Credentials of a WebP',
    () => withWebpChunk(images.webp, 'C2PA', Buffer.from('signed!')),
    { ...none, hasCredentials: true },
    null,
  ],
  [
    'Content Credentials that name a model',
    () => withPngChunk(images.png, 'caBX', manifest('trainedAlgorithmicMedia')),
    { ...none, sourceType: 'trainedAlgorithmicMedia', hasCredentials: true },
    'trainedAlgorithmicMedia',
  ],
  [
    'XMP of a camera and Content Credentials of a model',
    async () =>
      withSegments(
        await withXmp(packet(`ext:DigitalSourceType="${types}digitalCapture"/>`)),
        jumbfSegment('c2pa', manifest('compositeWithTrainedAlgorithmicMedia').toString('latin1')),
      ),
    { sourceType: 'compositeWithTrainedAlgorithmicMedia', generator: null, hasCredentials: true },
    'compositeWithTrainedAlgorithmicMedia',
  ],
])('reads %s', async (_, file, expected, kept) => {
  const marks = await marksOf(await file())
  expect(marks).toEqual(expected)
  expect(marks && keptSourceType(marks)).toBe(kept)
})

test('reads hostile metadata without delay', async () => {
  const bomb = Buffer.concat([Buffer.from('parameters\0\0'), deflateSync(Buffer.alloc(60_000_000, 'a: b, '))])
  for (const file of [
    withPngChunk(images.png, 'zTXt', bomb),
    withXmp(`<x:xmpmeta>${'digitalsourcetype = '.repeat(3_000)}</x:xmpmeta>`),
    withPngChunk(images.png, 'caBX', Buffer.alloc(5_000_000, 'digitalSourceType')),
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5_000_000)]),
  ]) {
    const bytes = await file
    const startedAt = cpuTime()
    readMarks(
      bytes,
      await sharp(bytes)
        .metadata()
        .catch(() => ({}) as never),
    )
    expect(cpuTime() - startedAt).toBeLessThan(1_000)
  }
})
