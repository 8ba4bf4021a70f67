import type { Design } from './design.ts'
import { scenicLayouts } from './interpret-prompt.ts'
import { motifsIn } from './motifs/catalog.ts'
import { elements } from './words/elements.ts'
import { findColor, findMeanings, splitWords, type Meaning } from './words/vocabulary.ts'

/** Maximum number of words. */
const maxWords = 12

/** Words as they are written, with the joiners that normalization removes; an emoji counts as a word. */
const writtenWord = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*|\p{Extended_Pictographic}/gu

/**
 * Returns the words of a prompt that an image shows, as they are written and in their order: those of its figures, colors,
 * layout and mood. Words of the same meaning are named once.
 *
 * @param design of the prompt
 * @param svg image of the design
 */
export function drawnFrom(prompt: string, design: Design, svg: string): readonly string[] {
  const words = (prompt.match(writtenWord) ?? []).flatMap((written) =>
    splitWords(written).map((word) => ({ word, written })),
  )
  const shown = motifsIn(svg)
  const found = new Map<unknown, { readonly index: number; readonly text: string }>()
  function add(meaning: unknown, index: number, count: number): void {
    if (found.has(meaning)) return
    const written = words.slice(index, index + count).map((one) => one.written)
    found.set(meaning, { index, text: [...new Set(written)].join(' ') })
  }
  for (const { meaning, index, words: count } of findMeanings(words.map(({ word }) => word))) {
    if (isShown(meaning, design, shown)) add(meaning, index, count)
  }
  for (const [index, { word }] of words.entries()) {
    const color = findColor(word)
    if (color !== undefined && design.colors.includes(color)) add(color, index, 1)
  }
  const texts = [...found.values()].toSorted((a, b) => a.index - b.index).map(({ text }) => text)
  return [...new Set(texts)].slice(0, maxWords)
}

/** A word that names a figure needs the figure: its colors and layouts alone would not show what it means. Rain or fire shows in colors. */
function isShown({ kind, entry }: Meaning, design: Design, shown: ReadonlySet<string>): boolean {
  const { motifs = [], layouts = [], colors = [], backgrounds = [] } = entry
  if (motifs.some((name) => shown.has(name))) return true
  if (entry.mood !== undefined || entry.order === design.order) return true
  const isFigure = kind === 'thing' && motifs.length > 0 && !elements.includes(entry)
  if (layouts.includes(design.layout) && (!isFigure || scenicLayouts.has(design.layout))) return true
  if (isFigure) return false
  return (
    colors.some((name) => design.colors.includes(name)) ||
    (design.background !== undefined && backgrounds.includes(design.background))
  )
}
