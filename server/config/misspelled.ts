import path from 'node:path'
import { knownVariables, readEnvFile } from './config.ts'
import { readTextFile } from './variables.ts'

/**
 * Finds misspelled variables in the `.env` file of a working directory. Other unknown names are not reported, as compose
 * files read the same file, and the engines file names variables for secrets.
 *
 * @returns names with the variables that were probably meant
 */
export function misspelledVariables(workingDirectory: string) {
  const known = knownVariables(workingDirectory)
  const variables = readEnvFile(workingDirectory)
  const engines = readTextFile(path.resolve(workingDirectory, variables['ENGINES_FILE']?.trim() ?? ''))
  const isNamed = (name: string) => 'text' in engines && engines.text.includes(JSON.stringify(name))
  return Object.keys(variables).flatMap((name) => {
    if (known.includes(name) || isNamed(name)) return []
    const bare = name.toUpperCase().replace(/^RANGOLI_/, '')
    const maxEdits = bare.length > 6 ? 2 : 1
    const near = known.map((meant) => ({ meant, count: edits(bare, meant) }))
    const [nearest] = near.toSorted((a, b) => a.count - b.count)
    return nearest && nearest.count <= maxEdits ? [{ name, meant: nearest.meant }] : []
  })
}

/** Counts the letters to insert, delete or replace to get from one name to another (Levenshtein distance). */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
