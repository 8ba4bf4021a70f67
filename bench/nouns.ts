import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compose } from '../server/engines/rangoli/compose.ts'
import { motifsIn } from '../server/engines/rangoli/figures/catalog.ts'
import { readPrompt } from '../server/engines/rangoli/interpret-prompt.ts'
import type { Print } from './measure.ts'

const file = path.join(import.meta.dirname, 'prompts/nouns.tsv')

/** Counts the everyday nouns of each language that the embedded engine draws as one of the figures that they mean. */
export async function run(print: Print): Promise<void> {
  const [header = [], ...rows] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  for (const [column, language] of header.entries()) {
    if (column === 0) continue
    const nouns = rows.flatMap(([figures = '', ...words]) => {
      const word = words[column - 1]
      return word === undefined || word === '' ? [] : [{ word, figures: figures.split(' ') }]
    })
    const missed: string[] = []
    for (const { word, figures } of nouns) {
      const { design } = await readPrompt(word)
      const shown = new Set([...motifsIn(compose(design)), design.layout])
      if (!figures.some((figure) => shown.has(figure))) missed.push(`${word} (${[...shown].join(' ')})`)
    }
    print(`nouns: ${language} ${nouns.length - missed.length} of ${nouns.length}`)
    if (missed.length > 0) print(`       not as meant: ${missed.join(', ')}`)
  }
}
