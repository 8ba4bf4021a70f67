import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { samplePrompts } from '../../../shared/sample-prompts.ts'
import { compose } from './compose.ts'
import { layoutNames } from './design.ts'
import { interpretPrompt } from './interpret-prompt.ts'

/** Renders an eighth of the size, 128 pixels square, which is enough to compare images. */
const density = 72 / 8

async function pixels(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density }).removeAlpha().raw().toBuffer()
}

function difference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

async function expectDifferent(svgs: readonly string[], least: number): Promise<void> {
  const images = await Promise.all(svgs.map(pixels))
  for (const [index, image] of images.entries()) {
    for (const other of images.slice(index + 1)) expect(difference(image, other)).toBeGreaterThan(least)
  }
}

const varied = ['blue', 'red', 'xyzzy', 'xyzzz', 'Diwali', 'lotus pond', 'a peacock', 'geometric tiles']

describe('compose', () => {
  it('draws the images of rangoli-3, whose hash changes only with the name of the model', async () => {
    const hash = createHash('sha256')
    for (const prompt of ['lotus pond', 'xyzzy', 'a red fox under a tree', 'seven ducks and a whale']) {
      const design = await interpretPrompt(prompt)
      for (const layout of layoutNames) hash.update(compose({ ...design, layout }))
    }
    expect(hash.digest('hex').slice(0, 16)).toBe('e524dc2fa2915ebf')
  })

  it('draws visibly different images of different prompts', async () => {
    const designs = await Promise.all(varied.map((prompt) => interpretPrompt(prompt)))
    await expectDifferent(
      designs.map((design) => compose(design)),
      18,
    )
  })

  it.each(['a red fish', 'kolam', 'xyzzy'])(
    'draws visibly different images of variants of %s',
    async (prompt) => {
      const designs = await Promise.all([null, 0, 1, 2, 3].map((variant) => interpretPrompt(prompt, variant)))
      await expectDifferent(
        designs.map((design) => compose(design)),
        10,
      )
    },
  )

  it.each([
    ['blue', 'red'],
    ['நீலம்', 'சிவப்பு'],
  ])('draws "%s" bluer and "%s" redder than the other', async (...prompts) => {
    const [blue, red] = await Promise.all(
      prompts.map(async (prompt) => {
        const { channels } = await sharp(Buffer.from(compose(await interpretPrompt(prompt))), {
          density,
        }).stats()
        return (channels[2]?.mean ?? 0) - (channels[0]?.mean ?? 0)
      }),
    )
    expect(blue).toBeGreaterThan(20)
    expect(red).toBeLessThan(-20)
  })

  it.each(['footprints', 'musical notes', 'a broken heart'])(
    'draws %s, whose shapes are in a group, with an ornament',
    async (prompt) => {
      const design = await interpretPrompt(prompt)
      for (const layout of ['portrait', 'pair'] as const) await pixels(compose({ ...design, layout }))
    },
  )

  it('draws sample prompts in less than 250 kB of ASCII, with nothing of the prompt', async () => {
    for (const prompt of [...samplePrompts, '"><script>quixotic</script> &amp; 🪔']) {
      const svg = compose(await interpretPrompt(prompt))
      expect(svg.length).toBeLessThan(250_000)
      expect(svg).toMatch(/^[\x20-\x7e]+$/)
      expect(svg).not.toMatch(/script|quixotic|&/)
    }
  })

  it.each(layoutNames)('draws a %s that is composed for its shape, from edge to edge', async (layout) => {
    const design = await interpretPrompt('a fish and a lotus at night')
    for (const [width, height] of [
      [512, 512],
      [256, 1024],
      [2048, 512],
    ] as const) {
      for (const order of width === height ? [4, 5, 6, 16] : [8]) {
        const svg = compose({ ...design, layout, order }, { width, height })
        expect(svg).toContain(`width="${width}" height="${height}"`)
        expect(svg).not.toMatch(/NaN|Infinity|undefined|null|e-\d/)
        expect(svg.length).toBeLessThan(1_200_000)
        if (width === height) continue
        const image = await sharp(Buffer.from(svg), { density })
          .removeAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true })
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
    }
  })
})
