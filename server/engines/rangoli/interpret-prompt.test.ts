import { describe, expect, it } from 'vitest'
import { translatedSamplePrompts } from '../../../shared/sample-prompts.ts'
import { compose } from './compose.ts'
import { isOrnament } from './figures/catalog.ts'
import { describeDrawing, interpretPrompt, readPrompt } from './interpret-prompt.ts'

describe('interpretPrompt', () => {
  it.each([
    ['a lamp in the window', 'diya'],
    ['two elephants', 'elephant'],
    ['butterflies in May', 'butterfly'],
    ['a camel', 'camel'],
    ['my CAR', 'automobile'],
    ['a steam train', 'locomotive'],
    ['tropical fishes', 'tropical-fish'],
    ['एक हाथी', 'elephant'],
    ['कमल का फूल', 'lotus'],
    ['தாமரை', 'lotus'],
    ['ময়ূর', 'peacock'],
    ['🐢', 'turtle'],
    ['दो बिल्लियाँ', 'cat'],
    ['घोड़ों की दौड़', 'horse'],
    ['মেয়েরা', 'girl'],
    ['নদীর ধারে হাতির পাল', 'elephant'],
    ['மரத்தில்', 'tree'],
    ['குளத்தில் மீன்கள்', 'fish'],
    ['పుస్తకాలు', 'books'],
    ['ఏనుగుతో', 'elephant'],
    ['los peces', 'fish'],
    ['arboles', 'tree'],
    ['un pavo real', 'peacock'],
    ['والقمر', 'moon'],
    ['سمكه', 'fish'],
    ['عباد الشمس', 'sunflower'],
    ['جمل', 'camel'],
    ['ein Löwe', 'lion'],
    ['un éléphant', 'elephant'],
    ['кошка', 'cat'],
    ['猫', 'cat'],
    ['犬', 'dog'],
    ['고양이', 'cat'],
    ['แมว', 'cat'],
    ['kedi', 'cat'],
    ['കുതിര', 'horse'],
  ])('finds the subject of "%s": %s', async (prompt, motif) => {
    expect((await interpretPrompt(prompt)).motifs[0]).toBe(motif)
  })

  it.each([
    ['Holi in Mathura', 'splash'],
    ['a kolam of fish', 'kolam'],
    ['the blue sea', 'scene'],
    ['a tree in a garden', 'tree'],
    ['Onam morning', 'pookalam'],
    ['a quilt of tigers', 'quilt'],
    ['two foxes', 'pair'],
    ['seven ducks', 'procession'],
    ['a bird over a house', 'scene'],
  ])('chooses the layout for "%s": %s', async (prompt, layout) => {
    expect((await interpretPrompt(prompt)).layout).toBe(layout)
  })

  it.each([['blue'], ['xyzzy'], ['a quiet afternoon'], ['the of and'], ['उसने दिया'], ['কলমলি']])(
    'shows no figure for "%s"',
    async (prompt) => {
      for (const variant of [null, 1, 2, 3]) {
        const { motifs, layout } = await interpretPrompt(prompt, variant)
        expect(motifs.filter((name) => !isOrnament(name))).toEqual([])
        expect(['kolam', 'tile', 'mandala', 'growth']).toContain(layout)
      }
    },
  )

  it.each([
    ['a red fox', { fox: 'red' }],
    ['un caballo rojo', { horse: 'red' }],
    ['a blue cat and a green bird', { cat: 'blue', bird: 'green' }],
    ['an orange cat', { cat: 'orange' }],
    ['an orange', {}],
  ])('colors the figures of "%s"', async (prompt, tints) => {
    expect((await interpretPrompt(prompt)).tints).toEqual(tints)
  })

  it.each([
    ['three cats and a dog', [3, 1]],
    ['५ cats', [1]],
    ['two glorps and a fox', [1]],
    ['two cockroaches and a fox', [1]],
    ['two fluffy and happy foxes', [2]],
    ['three sick dogs', [3]],
    ['7 ducks', [7]],
    ['दो हाथी', [2]],
    ['tres gatos', [3]],
    ['ثلاثة قطط', [3]],
  ])('counts the figures of "%s"', async (prompt, counts) => {
    expect((await interpretPrompt(prompt)).subjects.map(({ count }) => count)).toEqual(counts)
  })

  it.each([
    ['a cat on a chair', 'on'],
    ['dog under a tree', 'under'],
    ['a bird over a house', 'over'],
    ['un gato sobre una silla', 'on'],
    ['قطة تحت شجرة', 'under'],
    ['पेड़ के नीचे गाय', 'under'],
    ['a cat', undefined],
  ])('places the figures of "%s": %s', async (prompt, relation) => {
    expect((await interpretPrompt(prompt)).relation).toBe(relation)
  })

  it.each([
    ['पहाड़ पर मंदिर', ['temple', 'mountain']],
    ['a temple on a mountain', ['temple', 'mountain']],
    ['a camel in the desert', ['camel']],
    ['the desert', ['desert']],
    ['a king and a queen', ['person-with-crown', 'person-with-crown']],
    ['a fox, the fox', ['fox']],
    ['غزالان', ['deer']],
    ['eine rote Katze', ['cat']],
    ['een rode vos', ['fox']],
    ['红色的房子', ['house']],
    ['the most beautiful cat', ['cat']],
  ])('draws the figures of "%s": %j', async (prompt, figures) => {
    const { subjects } = await interpretPrompt(prompt)
    expect(subjects.flatMap(({ motif, count }) => Array.from({ length: count }, () => motif))).toEqual(
      figures,
    )
  })

  it('gives forms precedence over festivals, and things over weather', async () => {
    expect((await interpretPrompt('peacocks at Holi')).layout).toBe('splash')
    expect((await interpretPrompt('kolam with peacocks for Holi')).layout).toBe('kolam')
    expect((await interpretPrompt('rain and a peacock')).motifs[0]).toBe('peacock')
  })

  it('recognizes moods', async () => {
    expect((await interpretPrompt('neon frogs')).mood).toMatchObject({ tone: 'dark', isMonochrome: false })
    expect((await interpretPrompt('monochrome frogs')).mood.isMonochrome).toBe(true)
    expect((await interpretPrompt('a hexagonal frog')).order).toBe(6)
  })

  it('varies the layout in variants, and keeps subjects and colors', async () => {
    const variants = await Promise.all(
      [0, 1, 2, 3, 4].map((variant) => interpretPrompt('a saffron fish', variant)),
    )
    for (const { motifs, tints } of variants)
      expect([motifs[0], tints]).toEqual(['fish', { fish: 'saffron' }])
    expect(new Set(variants.map(({ layout }) => layout)).size).toBe(5)
    expect((await interpretPrompt('a kolam', 3)).layout).toBe('kolam')
  })

  it('varies the design with unknown words, of at least three motifs without repetition', async () => {
    const words = ['qat', 'qaf', 'qis', 'qoph', 'qin', 'qua']
    const designs = await Promise.all(words.map((word) => interpretPrompt(word)))
    const variants = new Set(
      designs.map(({ layout, order, motifs }) => `${layout} ${order} ${motifs.join()}`),
    )
    expect(variants.size).toBe(designs.length)
    for (const { motifs } of designs)
      expect([motifs.length >= 3, new Set(motifs).size]).toEqual([true, motifs.length])
  })
})

describe('describeDrawing', () => {
  it.each([
    ['A blue peacock in the rain', ['blue', 'peacock', 'rain'], []],
    ['Peacocks, a peacock and one more PEACOCK', ['Peacocks'], ['more']],
    ['un pavo real', ['pavo real'], []],
    ['a 🐢 at night', ['🐢', 'night'], []],
    ['a lighthouse and a fox', ['fox'], ['lighthouse']],
    ['quantum bureaucracy', [], ['quantum', 'bureaucracy']],
    ['', [], []],
  ])('tells what the image of %j shows, and what not', async (prompt, drawnFrom, notDrawn) => {
    const reading = await readPrompt(prompt)
    expect(describeDrawing(reading, compose(reading.design))).toMatchObject({ drawnFrom, notDrawn })
  })

  it('names figures that are like one that is not drawn', async () => {
    const reading = await readPrompt('a cockroach')
    expect(describeDrawing(reading, compose(reading.design)).near).toEqual({ cockroach: ['fly', 'ant'] })
  })

  it.each(Object.values(translatedSamplePrompts).flat())(
    'knows words of the sample prompt %j',
    async (prompt) => {
      const reading = await readPrompt(prompt)
      expect(describeDrawing(reading, compose(reading.design)).drawnFrom.length).toBeGreaterThan(0)
    },
  )
})
