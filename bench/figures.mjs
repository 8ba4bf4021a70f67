// Prints the size of the repository: lines of code by kind, and words of documentation.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const tests = /^(test|e2e)\/.*\.(ts|tsx|mjs|js)$|\.test\.(ts|tsx|mjs)$/

/** Each file counts for the first kind whose pattern it matches. */
const kinds = [
  { name: 'tests and their support', pattern: tests, unit: /\n/g },
  { name: 'product', pattern: /^(src|server|shared)\/.*\.(ts|tsx|mjs)$/, unit: /\n/g },
  { name: 'CSS', pattern: /^(src|server)\/.*\.css$/, unit: /\n/g },
  { name: 'benches', pattern: /^bench\/.*\.(ts|mjs)$/, unit: /\n/g },
  { name: 'documentation (words)', pattern: /^(?!CHANGELOG|test\/|\.github\/).*\.md$/, unit: /\S+/g },
]

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean)
const kindOf = (/** @type {string} */ file) => kinds.find(({ pattern }) => pattern.test(file))
for (const kind of kinds) {
  const own = files.filter((file) => kindOf(file) === kind)
  const size = own.reduce((sum, file) => sum + (readFileSync(file, 'utf8').match(kind.unit)?.length ?? 0), 0)
  console.log(`${kind.name}: ${size} in ${own.length} files`)
}
