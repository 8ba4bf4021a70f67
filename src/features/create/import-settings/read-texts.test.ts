import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { parseSettings } from '../../../../shared/embedded-settings.ts'
import { readEmbeddedTexts } from './read-texts.ts'

const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
const png = await image.png().toBuffer()
const jpeg = await image.jpeg().toBuffer()
const webp = await image.webp().toBuffer()

/** Returns a PNG with a text chunk of a type, as different programs write them. */
function withChunk(keyword: string, text: string, type: 'tEXt' | 'iTXt' | 'zTXt' = 'tEXt'): Buffer {
  const body = {
    tEXt: () => Buffer.concat([Buffer.from(`${keyword}\0`), Buffer.from(text, 'latin1')]),
    zTXt: () => Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(Buffer.from(text, 'latin1'))]),
    iTXt: () => Buffer.from(`${keyword}\0\0\0\0\0${text}`),
  }[type]()
  const chunk = Buffer.alloc(body.length + 12)
  chunk.writeUInt32BE(body.length)
  chunk.write(type, 4, 'latin1')
  body.copy(chunk, 8)
  const afterHeader = 33
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)])
}

/** Returns EXIF (TIFF, big-endian) whose UserComment is a text in UTF-16, as piexif and A1111 write it. */
function exifWithComment(text: string, order: 'le' | 'be'): Buffer {
  const utf16 = Buffer.from(text, 'utf16le')
  const comment = Buffer.concat([Buffer.from('UNICODE\0'), order === 'be' ? utf16.swap16() : utf16])
  const exif = Buffer.alloc(44)
  exif.write('MM\0*\0\0\0\u0008', 'latin1')
  // IFD0 with a pointer to the Exif IFD.
  exif.writeUInt16BE(1, 8)
  exif.writeUInt16BE(0x8769, 10)
  exif.writeUInt16BE(4, 12)
  exif.writeUInt32BE(1, 14)
  exif.writeUInt32BE(26, 18)
  // Exif IFD with UserComment.
  exif.writeUInt16BE(1, 26)
  exif.writeUInt16BE(0x9286, 28)
  exif.writeUInt16BE(7, 30)
  exif.writeUInt32BE(comment.length, 32)
  exif.writeUInt32BE(44, 36)
  return Buffer.concat([exif, comment])
}

function jpegWith(exif: Buffer): Buffer {
  const header = Buffer.from([0xff, 0xe1, 0, 0])
  header.writeUInt16BE(exif.length + 8, 2)
  return Buffer.concat([jpeg.subarray(0, 2), header, Buffer.from('Exif\0\0'), exif, jpeg.subarray(2)])
}

/** Returns a WebP in the extended format with EXIF. */
function webpWith(exif: Buffer): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(body.length)
    return Buffer.concat([Buffer.from(type), size, body, Buffer.alloc(body.length % 2)])
  }
  const extended = chunk('VP8X', Buffer.from([8, 0, 0, 0, 7, 0, 0, 7, 0, 0]))
  const chunks = Buffer.concat([Buffer.from('WEBP'), extended, webp.subarray(12), chunk('EXIF', exif)])
  return chunk('RIFF', chunks)
}

async function settingsOf(file: Buffer) {
  const texts = await readEmbeddedTexts(new Uint8Array(file).buffer)
  return texts && parseSettings(texts)
}

const infotext = `a lighthouse, (storm:1.2),
oil on canvas <lora:film:0.6> <lora:ink>
Negative prompt: blurry, text:
 and watermark
Steps: 28, Sampler: DPM++ 2M, Schedule type: Karras, CFG scale: 6.5, Seed: 4294967295, Size: 832x1216, Model hash: 31e35c80fc, Model: sd_xl_base_1.0, Lora hashes: "film: a1b2, ink: c3d4", Version: v1.10.1`

const lighthouse = {
  format: 'AUTOMATIC1111',
  prompt: 'a lighthouse, (storm:1.2),\noil on canvas',
  negativePrompt: 'blurry, text:\n and watermark',
  width: 832,
  height: 1216,
  seed: 4_294_967_295,
  model: 'sd_xl_base_1.0',
  loras: [
    { name: 'film', weight: 0.6 },
    { name: 'ink', weight: 1 },
  ],
  others: ['steps', 'sampler', 'scheduler', 'cfgScale'],
}

test.each<[string, () => Buffer]>([
  ['a tEXt chunk of a PNG', () => withChunk('parameters', infotext, 'tEXt')],
  ['a zTXt chunk of a PNG', () => withChunk('parameters', infotext, 'zTXt')],
  ['an iTXt chunk of a PNG', () => withChunk('parameters', infotext, 'iTXt')],
  ['a JPEG in UTF-16LE', () => jpegWith(exifWithComment(infotext, 'le'))],
  ['a WebP in UTF-16BE', () => webpWith(exifWithComment(infotext, 'be'))],
])('reads an infotext from %s', async (_, file) => {
  expect(await settingsOf(file())).toEqual(lighthouse)
})

test('reads Hindi from a JPEG and from an iTXt chunk, and a random seed as none', async () => {
  const hindi = 'बारिश में नाचता हुआ मोर\nNegative prompt: blurry\nSteps: 20, Seed: -1, Size: 512x512'
  const expected = { prompt: 'बारिश में नाचता हुआ मोर', negativePrompt: 'blurry', seed: null, width: 512 }
  for (const file of [jpegWith(exifWithComment(hindi, 'be')), withChunk('parameters', hindi, 'iTXt')])
    expect(await settingsOf(file)).toMatchObject(expected)
})

/** Graph of ComfyUI's template with a LoRA, a ControlNet and texts by reference. */
const graph = {
  '3': {
    class_type: 'KSampler',
    inputs: {
      seed: 156680208700286,
      steps: 20,
      cfg: 8,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
      model: ['10', 0],
      positive: ['12', 0],
      negative: ['12', 1],
      latent_image: ['5', 0],
    },
  },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'dream.safetensors' } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: ['14', 0], height: 768, batch_size: 1 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: ['13', 0], clip: ['10', 1] } },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'text, watermark', clip: ['10', 1] } },
  '10': { class_type: 'LoraLoader', inputs: { lora_name: 'ink', strength_model: 0.7, model: ['4', 0] } },
  '12': {
    class_type: 'ControlNetApplyAdvanced',
    inputs: { positive: ['6', 0], negative: ['7', 0], strength: 1 },
  },
  '13': { class_type: 'PrimitiveString', inputs: { value: 'a glass bottle' } },
  '14': { class_type: 'PrimitiveInt', inputs: { value: 512 } },
  '9': { class_type: 'SaveImage', inputs: { filename_prefix: 'ComfyUI', images: ['8', 0] } },
}

test('follows the links of a sampler in a graph of ComfyUI', async () => {
  const expected = {
    format: 'ComfyUI',
    prompt: 'a glass bottle',
    negativePrompt: 'text, watermark',
    width: 512,
    height: 768,
    seed: 156680208700286,
    model: 'dream.safetensors',
    loras: [{ name: 'ink', weight: 0.7 }],
    others: ['steps', 'cfgScale', 'sampler', 'scheduler', 'strength'],
  }
  const text = JSON.stringify({ ...graph, '99': { class_type: 'X', inputs: {}, is_changed: [null] } })
  expect(await settingsOf(withChunk('prompt', text))).toEqual(expected)
  expect(await settingsOf(withChunk('prompt', text.replace('null', 'NaN')))).toEqual(expected)
})

test('follows guider and noise of SamplerCustomAdvanced', async () => {
  const flux = {
    '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a cake', clip: ['11', 0] } },
    '12': { class_type: 'UNETLoader', inputs: { unet_name: 'flux1-dev' } },
    '13': {
      class_type: 'SamplerCustomAdvanced',
      inputs: { noise: ['25', 0], guider: ['22', 0], sigmas: ['17', 0], latent_image: ['27', 0] },
    },
    '17': { class_type: 'BasicScheduler', inputs: { scheduler: 'simple', steps: 20, denoise: 1 } },
    '22': { class_type: 'BasicGuider', inputs: { model: ['12', 0], conditioning: ['26', 0] } },
    '25': { class_type: 'RandomNoise', inputs: { noise_seed: 219 } },
    '26': { class_type: 'FluxGuidance', inputs: { guidance: 3.5, conditioning: ['6', 0] } },
    '27': { class_type: 'EmptySD3LatentImage', inputs: { width: 1024, height: 1024 } },
  }
  expect(await settingsOf(withChunk('prompt', JSON.stringify(flux)))).toMatchObject({
    prompt: 'a cake',
    negativePrompt: '',
    width: 1024,
    seed: 219,
    model: 'flux1-dev',
  })
})

test('ends at a graph with a cycle, and reads one from the camera model of a WebP', () => {
  const cycle = JSON.stringify({ ...graph, '13': { class_type: 'X', inputs: { text: ['6', 0] } } })
  const none = { chunks: {}, userComment: null, exifTexts: [], xmp: null }
  expect(parseSettings({ ...none, chunks: { prompt: cycle } })).toMatchObject({ prompt: '', width: 512 })
  const exifTexts = [`prompt:${JSON.stringify(graph)}`]
  expect(parseSettings({ ...none, exifTexts })).toMatchObject({ format: 'ComfyUI', prompt: 'a glass bottle' })
})

const invoke = {
  positive_prompt: 'a fox in snow',
  negative_prompt: 'people',
  width: 1024,
  height: 768,
  seed: 2217812423,
  cfg_scale: 7.5,
  steps: 30,
  scheduler: 'euler_a',
  model: { key: 'k', name: 'Juggernaut XL', base: 'sdxl' },
  loras: [{ model: { name: 'ink' }, weight: 0.5 }, { lora: { model_name: 'film' } }],
}
const common = { steps: 50, seed: 42, width: 512, height: 640 }
const invoke2 = {
  model_weights: 'stable-diffusion-1.5',
  image: {
    ...common,
    prompt: [{ prompt: 'a red barn [ugly] [frame]', weight: 1 }],
    cfg_scale: 7.5,
    sampler: 'k_lms',
  },
}
const swarm = {
  sui_image_params: {
    ...common,
    prompt: 'a tram',
    negativeprompt: 'rain',
    model: 'flux/dev',
    cfgscale: 1,
    loras: ['ink', 'film'],
    loraweights: ['0.5'],
  },
}

test.each([
  [
    'invokeai_metadata',
    invoke,
    ['InvokeAI', 'a fox in snow', 'people', 1024, 768, 2217812423, 'Juggernaut XL'],
    ['steps', 'cfgScale', 'scheduler'],
  ],
  [
    'sd-metadata',
    invoke2,
    ['InvokeAI', 'a red barn', 'ugly, frame', 512, 640, 42, 'stable-diffusion-1.5'],
    ['steps', 'cfgScale', 'sampler'],
  ],
  ['parameters', swarm, ['SwarmUI', 'a tram', 'rain', 512, 640, 42, 'flux/dev'], ['steps', 'cfgScale']],
])('reads the JSON of %s', async (keyword, metadata, expected, others) => {
  const found = await settingsOf(withChunk(keyword, JSON.stringify(metadata)))
  const { format, prompt, negativePrompt, width, height, seed, model } = found ?? {}
  expect([format, prompt, negativePrompt, width, height, seed, model]).toEqual(expected)
  expect(found?.others).toEqual(others)
  const film = { name: 'film', weight: 1 }
  expect(found?.loras).toEqual(keyword === 'sd-metadata' ? [] : [{ name: 'ink', weight: 0.5 }, film])
})

test('reads the JSON of SwarmUI from a JPEG', async () => {
  const file = jpegWith(exifWithComment(JSON.stringify(swarm), 'be'))
  expect(await settingsOf(file)).toMatchObject({ format: 'SwarmUI', prompt: 'a tram' })
})

test('reads the XMP of this program, and its infotext', async () => {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:rangoli="urn:rangoli:image:1.0:" rangoli:Engine="comfyui" rangoli:Model="a&amp;b">
    </rdf:Description>
    <rdf:Description rdf:about="" xmlns:rangoli="urn:rangoli:image:1.0:">
      <rangoli:Size>832x1216</rangoli:Size><rangoli:Seed>7</rangoli:Seed><rangoli:Steps>20</rangoli:Steps>
      <rangoli:Loras>&lt;lora:ink:0.8&gt; &lt;lora:film:-1&gt;</rangoli:Loras>
      <rangoli:Prompt>a &lt;diya&gt; &amp; a moth</rangoli:Prompt><rangoli:NegativePrompt>rain</rangoli:NegativePrompt>
    </rdf:Description></rdf:RDF></x:xmpmeta>`
  expect(await settingsOf(await image.clone().jpeg().withXmp(xmp).toBuffer())).toEqual({
    format: 'Rangoli',
    prompt: 'a <diya> & a moth',
    negativePrompt: 'rain',
    width: 832,
    height: 1216,
    seed: 7,
    model: 'a&b',
    loras: [
      { name: 'ink', weight: 0.8 },
      { name: 'film', weight: -1 },
    ],
    others: ['steps'],
  })
  const text = 'A diya\nSize: 1024x1024, Model: rangoli-1, Engine: Rangoli patterns, Version: Rangoli'
  expect(await settingsOf(jpegWith(exifWithComment(text, 'be')))).toMatchObject({
    prompt: 'A diya',
    width: 1024,
    model: 'rangoli-1',
  })
})

test.each([
  ['infotext', 'parameters', `a\n${'a '.repeat(300_000)}`],
  ['JSON', 'prompt', `{"a":${' '.repeat(300_000)}}`],
  ['brackets', 'sd-metadata', JSON.stringify({ image: { prompt: '['.repeat(300_000) } })],
  ['spaces', 'sd-metadata', JSON.stringify({ image: { prompt: `a${' '.repeat(300_000)}b` } })],
])('reads a hostile text (%s) without delay', (_, keyword, text) => {
  const startedAt = performance.now()
  parseSettings({ chunks: { [keyword]: text }, userComment: null, exifTexts: [], xmp: null })
  // Steps that grow with the square of the length take minutes, and others milliseconds, or many on a busy machine.
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

test('finds nothing in files without settings, and none in other files', async () => {
  for (const file of [png, jpeg, webp, withChunk('Comment', 'Seed: of hope'), withChunk('prompt', '{broken')])
    expect(await settingsOf(file)).toBe(null)
  for (const file of [Buffer.from('%PDF-1.7'), Buffer.alloc(0), jpeg.subarray(0, 3)])
    expect(await settingsOf(file)).toBe(null)
})
