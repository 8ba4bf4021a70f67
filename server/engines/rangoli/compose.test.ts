import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { samplePrompts } from '../../../shared/sample-prompts.ts'
import { readBrief } from './brief.ts'
import { compose } from './compose.ts'
import { structureNames } from './names.ts'

/** Draws an eighth of the size: 128 pixels square are enough to measure. */
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

async function meanColour(prompt: string): Promise<Rgb> {
  const { channels } = await sharp(Buffer.from(compose(readBrief(prompt))))
    .removeAlpha()
    .stats()
  const [r, g, b] = channels.map((channel) => channel.mean)
  return { r: r ?? 0, g: g ?? 0, b: b ?? 0 }
}

describe('compose', () => {
  it('draws what rangoli-1 has always drawn: a change of this hash asks for a new model name', () => {
    const hash = createHash('sha256')
    for (const prompt of variedPrompts) {
      for (const structure of structureNames) hash.update(compose({ ...readBrief(prompt), structure }))
    }
    expect(hash.digest('hex').slice(0, 16)).toBe('12d45573ea67512c')
  })

  it('draws different prompts visibly different', async () => {
    const images = await Promise.all(variedPrompts.map((prompt) => pixels(compose(readBrief(prompt)))))
    for (const [index, image] of images.entries()) {
      for (const other of images.slice(index + 1)) expect(difference(image, other)).toBeGreaterThan(20)
    }
  })

  // A starburst's points are lit from one side, like a compass rose: it turns, but it does not mirror.
  it.each(structureNames.filter((name) => name !== 'starburst'))(
    'draws a %s that is its own mirror image',
    async (structure) => {
      const brief = { ...readBrief('lotus, fish and peacock'), structure }
      const svg = compose(brief)
      const mirrored = await sharp(Buffer.from(svg), { density }).removeAlpha().flop().raw().toBuffer()
      expect(difference(await pixels(svg), mirrored)).toBeLessThan(3)
    },
  )

  it.each(['mandala', 'kolam', 'rosette', 'starburst', 'pookalam', 'alpona'] as const)(
    'draws a %s of order four that is the same after a quarter turn',
    async (structure) => {
      const brief = { ...readBrief('lotus and marigold'), structure, order: 4 }
      const svg = compose({ ...brief, motifs: ['marigold', 'marigold', 'marigold'] })
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
  ])('makes "%s" bluer and "%s" redder', async (blue, red) => {
    const [blueMean, redMean] = await Promise.all([meanColour(blue), meanColour(red)])
    expect(blueMean.b).toBeGreaterThan(blueMean.r + 20)
    expect(redMean.r).toBeGreaterThan(redMean.b + 20)
  })

  it('keeps every sample prompt small', () => {
    for (const prompt of samplePrompts) expect(compose(readBrief(prompt)).length).toBeLessThan(200_000)
  })

  it('takes nothing of the prompt into the document', () => {
    const prompt = '"><script>quixotic</script> 🪔'
    const svg = compose(readBrief(prompt))
    expect(svg).not.toMatch(/script|quixotic|🪔/)
    expect(svg).toMatch(/^[\x20-\x7e]+$/)
  })

  it('never writes a number that is not one', () => {
    for (const prompt of [...samplePrompts, ...variedPrompts]) {
      expect(compose(readBrief(prompt))).not.toMatch(/NaN|Infinity|undefined|e-\d/)
    }
  })
})
