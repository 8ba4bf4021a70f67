import { expect, it } from 'vitest'
import { interpretPrompt } from './interpret-prompt.ts'
import { type PaletteName, palettes } from './named-colors.ts'
import { createPalette } from './palette.ts'
import { createRandom } from './random.ts'

it.each(Object.keys(palettes) as PaletteName[])(
  'keeps figures of %s apart from the ground and each other',
  async (palette) => {
    const design = { ...(await interpretPrompt('xyzzy')), palette }
    const { swatches, isDark, background, stroke } = createPalette(design, createRandom('palette'))
    expect(new Set(swatches.map(({ base }) => base)).size).toBe(5)
    const lightness = (hex: string) =>
      [1, 3, 5].reduce((sum, at) => sum + parseInt(hex.slice(at, at + 2), 16), 0) / 765
    expect(lightness(background) < 0.55).toBe(isDark)
    expect(Math.abs(lightness(background) - lightness(stroke))).toBeGreaterThan(0.45)
  },
)

it.each([
  ['a fox in autumn', ['Kyoto in autumn', 'Kolkata in autumn']],
  ['a calm house', ['Varanasi at dawn', 'Mysuru in the morning', 'Srinagar in winter']],
  ['a train', [undefined]],
])('chooses the palette of "%s" by its words', async (prompt, names) => {
  expect(names).toContain((await interpretPrompt(prompt)).palette)
})
