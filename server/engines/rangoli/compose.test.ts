import { createHash } from 'node:crypto'
import sharp from 'sharp'
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

interface Rgb {
  readonly r: number
  readonly g: number
  readonly b: number
}

async function pixels(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density }).removeAlpha().raw().toBuffer()
}

function difference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

async function meanColor(prompt: string): Promise<Rgb> {
  const { channels } = await sharp(Buffer.from(compose(interpretPrompt(prompt))))
    .removeAlpha()
    .stats()
  const [r, g, b] = channels.map((channel) => channel.mean)
  return { r: r ?? 0, g: g ?? 0, b: b ?? 0 }
}

describe('compose', () => {
  it('draws the images of rangoli-1, whose hash changes only with the name of the model', () => {
    const hash = createHash('sha256')
    for (const prompt of variedPrompts) {
      for (const layout of layoutNames) hash.update(compose({ ...interpretPrompt(prompt), layout }))
    }
    expect(hash.digest('hex').slice(0, 16)).toBe('12d45573ea67512c')
  })

  it('draws visibly different images for different prompts', async () => {
    const images = await Promise.all(variedPrompts.map((prompt) => pixels(compose(interpretPrompt(prompt)))))
    for (const [index, image] of images.entries()) {
      for (const other of images.slice(index + 1)) expect(difference(image, other)).toBeGreaterThan(20)
    }
  })

  // The points of a starburst have a light and a dark side, so it has rotational but no mirror symmetry.
  it.each(layoutNames.filter((name) => name !== 'starburst'))(
    'draws a %s with mirror symmetry',
    async (layout) => {
      const design = { ...interpretPrompt('lotus, fish and peacock'), layout }
      const svg = compose(design)
      const mirrored = await sharp(Buffer.from(svg), { density }).removeAlpha().flop().raw().toBuffer()
      expect(difference(await pixels(svg), mirrored)).toBeLessThan(3)
    },
  )

  it.each(['mandala', 'kolam', 'rosette', 'starburst', 'pookalam', 'alpona'] as const)(
    'draws a %s of order four with fourfold rotational symmetry',
    async (layout) => {
      const design = { ...interpretPrompt('lotus and marigold'), layout, order: 4 }
      const svg = compose({ ...design, motifs: ['marigold', 'marigold', 'marigold'] })
      const turned = await sharp(Buffer.from(svg), { density }).rotate(90).removeAlpha().raw().toBuffer()
      expect(difference(await pixels(svg), turned)).toBeLessThan(6)
    },
  )

  it.each([
    ['blue', 'red'],
    ['a blue elephant', 'a red elephant'],
    ['नीला', 'लाल'],
    ['नीला हाथी', 'लाल हाथी'],
    ['நீலம்', 'சிவப்பு'],
  ])('draws "%s" bluer and "%s" redder than the other', async (blue, red) => {
    const [blueMean, redMean] = await Promise.all([meanColor(blue), meanColor(red)])
    expect(blueMean.b).toBeGreaterThan(blueMean.r + 20)
    expect(redMean.r).toBeGreaterThan(redMean.b + 20)
  })

  it('keeps the SVG of every sample prompt below 200 kB', () => {
    for (const prompt of samplePrompts) expect(compose(interpretPrompt(prompt)).length).toBeLessThan(200_000)
  })

  it('copies nothing from the prompt into the SVG', () => {
    const prompt = '"><script>quixotic</script> 🪔'
    const svg = compose(interpretPrompt(prompt))
    expect(svg).not.toMatch(/script|quixotic|🪔/)
    expect(svg).toMatch(/^[\x20-\x7e]+$/)
  })

  it('writes only valid numbers', () => {
    for (const prompt of [...samplePrompts, ...variedPrompts]) {
      expect(compose(interpretPrompt(prompt))).not.toMatch(/NaN|Infinity|undefined|e-\d/)
    }
  })
})
