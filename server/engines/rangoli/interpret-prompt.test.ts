import { describe, expect, it } from 'vitest'
import { interpretPrompt } from './interpret-prompt.ts'

describe('interpretPrompt', () => {
  it.each([
    ['a lamp in the window', 'diya'],
    ['two elephants', 'elephant'],
    ['wise owls', 'owl'],
    ['butterflies in May', 'butterfly'],
    ['एक हाथी', 'elephant'],
    ['कमल का फूल', 'lotus'],
    ['आँगन में दीये', 'diya'],
    ['தாமரை', 'lotus'],
    ['ময়ূর', 'feather'],
    ['🐢', 'turtle'],
  ])('finds the subject of "%s": %s', (prompt, motif) => {
    expect(interpretPrompt(prompt).motifs[0]).toBe(motif)
  })

  it.each([
    ['Holi in Mathura', 'splash'],
    ['होली', 'splash'],
    ['a peacock', 'fan'],
    ['a kolam of fish', 'kolam'],
    ['the blue sea', 'waves'],
    ['Onam morning', 'pookalam'],
    ['a quilt of tigers', 'quilt'],
  ])('chooses the layout for "%s": %s', (prompt, layout) => {
    expect(interpretPrompt(prompt).layout).toBe(layout)
  })

  it('gives forms precedence over festivals, and festivals over things', () => {
    expect(interpretPrompt('peacocks at Holi').layout).toBe('splash')
    expect(interpretPrompt('kolam with peacocks for Holi').layout).toBe('kolam')
  })

  it('puts named colors first and uses the colors of subjects as accents', () => {
    expect(interpretPrompt('a saffron and turquoise lotus').colors.slice(0, 3)).toEqual([
      'saffron',
      'turquoise',
      'pink',
    ])
    expect(interpretPrompt('a saffron lotus').backgroundColor).toBe('saffron')
    expect(interpretPrompt('lotus').backgroundColor).toBeUndefined()
  })

  it('recognizes moods and numbers', () => {
    expect(interpretPrompt('neon frogs').mood).toMatchObject({ tone: 'dark', isMonochrome: false })
    expect(interpretPrompt('monochrome frogs').mood.isMonochrome).toBe(true)
    expect(interpretPrompt('a hexagonal frog').order).toBe(6)
  })

  it('varies the design with unknown words', () => {
    const designs = ['qat', 'qaf', 'qis', 'qoph', 'qin', 'qua'].map(interpretPrompt)
    const variants = new Set(designs.map(({ layout, order, harmony }) => `${layout} ${order} ${harmony}`))
    expect(variants.size).toBe(designs.length)
  })

  it('keeps subjects, named colors and the kind of drawing in every variant, and varies the layout', () => {
    const variants = [1, 2, 3, 4, 5].map((variant) => interpretPrompt('a saffron fish', variant))
    for (const { motifs, colors, backgroundColor } of variants) {
      expect([motifs[0], colors[0], backgroundColor]).toEqual(['fish', 'saffron', 'saffron'])
    }
    expect(new Set(variants.map(({ layout }) => layout)).size).toBe(5)
    expect([1, 2, 3].map((variant) => interpretPrompt('a kolam', variant).layout)).toEqual(
      Array<string>(3).fill('kolam'),
    )
  })

  it('selects at least three motifs without repetition', () => {
    for (const prompt of ['', 'xyzzy', 'lotus', 'a fish, an owl, a tree, a star and a boat']) {
      const { motifs } = interpretPrompt(prompt)
      expect(motifs.length).toBeGreaterThanOrEqual(3)
      expect(new Set(motifs).size).toBe(motifs.length)
    }
  })
})
