import { createHash } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { samplePrompts } from '../../../shared/sample-prompts.ts'
import { compose } from './compose.ts'
import { layoutNames } from './design.ts'
import { interpretPrompt } from './interpret-prompt.ts'

/** Renders an eighth of the size, 128 pixels square, which is enough to compare images. */
const density = 72 / 8

const variedPrompts = [
  'blue',
  'red',
  'xyzzy',
  'xyzzz',
  'Diwali',
  'दीवाली',
  'lotus pond',
  'lotus pool',
  'a peacock',
  'geometric tiles',
  'sea waves at night',
  'village under a starry sky',
]

const sizes = [
  { width: 832, height: 1216 },
  { width: 1152, height: 896 },
  { width: 512, height: 512 },
  { width: 1024, height: 1032 },
  { width: 256, height: 2048 },
  { width: 2048, height: 256 },
]

interface Rgb {
  readonly r: number
  readonly g: number
  readonly b: number
}

/** Renders an image, and transforms its pixels. */
async function pixelsAndTransformed(
  svg: string,
  transform: (image: Sharp) => Sharp,
): Promise<[Buffer, Buffer]> {
  const { data, info } = await sharp(Buffer.from(svg), { density })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [
    data,
    await transform(sharp(data, { raw: info }))
      .raw()
      .toBuffer(),
  ]
}

async function pixels(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density }).removeAlpha().raw().toBuffer()
}

function difference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

async function meanColor(prompt: string): Promise<Rgb> {
  const { channels } = await sharp(Buffer.from(compose(await interpretPrompt(prompt))), { density })
    .removeAlpha()
    .stats()
  const [r, g, b] = channels.map((channel) => channel.mean)
  return { r: r ?? 0, g: g ?? 0, b: b ?? 0 }
}

describe('compose', () => {
  it('draws the images of rangoli-3, whose hash changes only with the name of the model', async () => {
    const hash = createHash('sha256')
    for (const prompt of [...variedPrompts, 'a red fox under a tree', 'seven ducks and a whale']) {
      const design = await interpretPrompt(prompt)
      for (const layout of layoutNames) hash.update(compose({ ...design, layout }))
    }
    expect(hash.digest('hex').slice(0, 16)).toBe('c7bdefc5a23fd188')
  })

  it('draws visibly different images for different prompts', async () => {
    const images = await Promise.all(
      variedPrompts.map(async (prompt) => pixels(compose(await interpretPrompt(prompt)))),
    )
    for (const [index, image] of images.entries()) {
      for (const other of images.slice(index + 1)) expect(difference(image, other)).toBeGreaterThan(20)
    }
  })

  // The points of a star have a light and a dark side, so it has rotational but no mirror symmetry.
  const mirroredLayouts = layoutNames.filter(
    (name) => !['starburst', 'girih', 'portrait', 'pair', 'procession', 'scene'].includes(name),
  )

  it.each(mirroredLayouts)('draws a %s with mirror symmetry', async (layout) => {
    const design = { ...(await interpretPrompt('lotus, fish and peacock')), layout }
    const [image, mirrored] = await pixelsAndTransformed(compose(design), (original) => original.flop())
    expect(difference(image, mirrored)).toBeLessThan(3)
  })

  it.each(['mandala', 'kolam', 'rosette', 'starburst', 'pookalam', 'alpona'] as const)(
    'draws a %s of order four with fourfold rotational symmetry',
    async (layout) => {
      const design = { ...(await interpretPrompt('lotus and marigold')), layout, order: 4 }
      const svg = compose({ ...design, motifs: ['marigold', 'marigold', 'marigold'] })
      const [image, turned] = await pixelsAndTransformed(svg, (original) => original.rotate(90))
      expect(difference(image, turned)).toBeLessThan(6)
    },
  )

  it.each([
    ['blue', 'red'],
    ['नीला', 'लाल'],
    ['நீலம்', 'சிவப்பு'],
  ])('draws "%s" bluer and "%s" redder than the other', async (blue, red) => {
    const [blueMean, redMean] = await Promise.all([meanColor(blue), meanColor(red)])
    expect(blueMean.b).toBeGreaterThan(blueMean.r + 20)
    expect(redMean.r).toBeGreaterThan(redMean.b + 20)
  })

  it('keeps the SVG of every sample prompt below 200 kB', async () => {
    for (const prompt of samplePrompts)
      expect(compose(await interpretPrompt(prompt)).length).toBeLessThan(200_000)
  })

  it('copies nothing from the prompt into the SVG', async () => {
    const prompt = '"><script>quixotic</script> 🪔'
    const svg = compose(await interpretPrompt(prompt))
    expect(svg).not.toMatch(/script|quixotic|🪔/)
    expect(svg).toMatch(/^[\x20-\x7e]+$/)
  })

  it('writes only valid numbers', async () => {
    for (const prompt of [...samplePrompts, ...variedPrompts]) {
      expect(compose(await interpretPrompt(prompt))).not.toMatch(/NaN|Infinity|undefined|e-\d/)
    }
  })

  it.each(layoutNames)('draws a %s of every shape with valid numbers', async (layout) => {
    for (const size of sizes) {
      for (const order of [4, 5, 6, 16]) {
        const svg = compose({ ...(await interpretPrompt('a fish at night')), layout, order }, size)
        expect(svg).toContain(`width="${size.width}" height="${size.height}"`)
        expect(svg).not.toMatch(/NaN|Infinity|undefined|e-\d/)
        expect(svg.length).toBeLessThan(1_200_000)
      }
    }
  })

  it.each(layoutNames)('draws a %s that is composed for its shape, from edge to edge', async (layout) => {
    const design = { ...(await interpretPrompt('lotus and fish')), layout }
    for (const [width, height] of [
      [1344, 768],
      [768, 1344],
      [2048, 512],
    ] as const) {
      const svg = Buffer.from(compose(design, { width, height }))
      const image = await sharp(svg, { density }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      for (const start of [0, 0.42, 0.84]) {
        const area = {
          left: Math.round(image.info.width * start),
          top: Math.round(image.info.height * start),
          width: Math.floor(image.info.width * 0.16),
          height: Math.floor(image.info.height * 0.16),
        }
        // Statistics of sharp are those of its input.
        const part = await sharp(image.data, { raw: image.info }).extract(area).png().toBuffer()
        const { channels } = await sharp(part).stats()
        expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(1.5)
      }
    }
  })

  it.each(mirroredLayouts)('draws a wide %s with mirror symmetry', async (layout) => {
    const svg = compose(
      { ...(await interpretPrompt('lotus, fish and peacock')), layout },
      { width: 1216, height: 832 },
    )
    const [image, mirrored] = await pixelsAndTransformed(svg, (original) => original.flop())
    expect(difference(image, mirrored)).toBeLessThan(4)
  })

  it('draws visibly different images of successive variants, with the same subject and colors', async () => {
    for (const prompt of ['a red fish', 'kolam', 'xyzzy', 'Holi', 'the sea']) {
      const designs = await Promise.all([null, 0, 1, 2, 3].map((variant) => interpretPrompt(prompt, variant)))
      const images = await Promise.all(designs.map((design) => pixels(compose(design))))
      for (const [index, image] of images.entries()) {
        for (const other of images.slice(index + 1)) expect(difference(image, other)).toBeGreaterThan(10)
      }
    }
  })
})
