import { fold } from '../../text/search-text.ts'
import stopWords from './stop-words.json' with { type: 'json' }

/** Maximum number of words of a prompt, its first ones. */
const maxWords = 64

/** Longest word, in code units. */
const maxLength = 40

const runs = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/** Letters of scripts that are written without spaces. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const hasMeaning = /\p{L}.*\p{L}|[\p{Script=Han}\p{Script=Hangul}]/u

/** The dictionaries of the scripts apply whatever the language is. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

const ignored = new Set(Object.values(stopWords).flatMap((list) => fold(list).split(' ')))

/** Returns the different words of a folded prompt in its order, of any script, without numbers and stop words. */
export function promptWords(prompt: string): readonly string[] {
  const words = new Set<string>()
  for (const [run] of prompt.matchAll(runs)) {
    // Segmentation takes twenty times as long.
    const parts = unspaced.test(run) ? Array.from(segmenter.segment(run), ({ segment }) => segment) : [run]
    for (const word of parts)
      if (word.length <= maxLength && hasMeaning.test(word) && !ignored.has(word)) words.add(word)
    if (words.size >= maxWords) break
  }
  return [...words].slice(0, maxWords)
}
