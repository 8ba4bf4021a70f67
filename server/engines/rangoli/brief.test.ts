import { describe, expect, it } from 'vitest'
import { readBrief } from './brief.ts'

describe('readBrief', () => {
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
  ])('"%s" is about a %s', (prompt, motif) => {
    expect(readBrief(prompt).motifs[0]).toBe(motif)
  })

  it.each([
    ['Holi in Mathura', 'splash'],
    ['होली', 'splash'],
    ['a peacock', 'fan'],
    ['a kolam of fish', 'kolam'],
    ['the blue sea', 'waves'],
    ['Onam morning', 'pookalam'],
    ['a quilt of tigers', 'quilt'],
  ])('"%s" becomes a %s', (prompt, structure) => {
    expect(readBrief(prompt).structure).toBe(structure)
  })

  it('lets a feast decide over the things beside it, and a form over both', () => {
    expect(readBrief('peacocks at Holi').structure).toBe('splash')
    expect(readBrief('kolam with peacocks for Holi').structure).toBe('kolam')
  })

  it('gives named colours the first place, the things of the prompt the accents', () => {
    expect(readBrief('a saffron and turquoise lotus').colours.slice(0, 3)).toEqual([
      'saffron',
      'turquoise',
      'pink',
    ])
    expect(readBrief('a saffron lotus').groundColour).toBe('saffron')
    expect(readBrief('lotus').groundColour).toBeUndefined()
  })

  it('reads moods and counts', () => {
    expect(readBrief('neon frogs').mood).toMatchObject({ tone: 'dark', isMonochrome: false })
    expect(readBrief('monochrome frogs').mood.isMonochrome).toBe(true)
    expect(readBrief('a hexagonal frog').order).toBe(6)
  })

  it('lets unknown words steer too', () => {
    const briefs = ['qat', 'qaf', 'qis', 'qoph', 'qin', 'qua'].map(readBrief)
    const shapes = new Set(briefs.map(({ structure, order, harmony }) => `${structure} ${order} ${harmony}`))
    expect(shapes.size).toBe(briefs.length)
  })

  it('always shows at least three things, none of them twice', () => {
    for (const prompt of ['', 'xyzzy', 'lotus', 'a fish, an owl, a tree, a star and a boat']) {
      const { motifs } = readBrief(prompt)
      expect(motifs.length).toBeGreaterThanOrEqual(3)
      expect(new Set(motifs).size).toBe(motifs.length)
    }
  })
})
