import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Declarations that stay on the same side whatever the direction of the page. */
const physical = [
  /(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-)?(?:left|right)(?:-\w+)*:[^;]*;/g,
  /(?<![\w-])border-(?:top|bottom)-(?:left|right)-radius:[^;]*;/g,
  /(?<![\w-])(?:text-align|float|clear): (?:left|right);/g,
]

/** Four values, of which the second is on the right and the fourth on the left. */
const shorthand = /(?<![\w-])(?:margin|padding|inset): ([^;]+);/g

/** Splits a value at the spaces outside of parentheses. */
function splitValue(value: string): string[] {
  return value.match(/(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s()])+/g) ?? []
}

function physicalDeclarations(css: string): string[] {
  const found = physical.flatMap((pattern) => css.match(pattern) ?? [])
  const asymmetric = Array.from(css.matchAll(shorthand)).filter(([, value = '']) => {
    const [, right, , left] = splitValue(value)
    return left !== undefined && left !== right
  })
  return [...found, ...asymmetric.map(([declaration]) => declaration)]
}

test('finds declarations that would not mirror', () => {
  const found = ['margin-left: 1px;', 'left: 0;', 'padding: 0 calc(1px + 2px) 0 0;']
  expect(physicalDeclarations(`a { ${found.join(' ')} }`)).toEqual(found)
  expect(physicalDeclarations('a { padding: 1px 2px 3px 2px; inset-inline-start: 0; }')).toEqual([])
})

const source = path.resolve(import.meta.dirname, '..')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
)

test.each(files)('%s mirrors on pages from right to left', (file) => {
  const css = readFileSync(path.join(source, file), 'utf8')
  const comments = /\/\*.*?\*\//gs
  const rulesOfOneDirection = /:dir\((?:ltr|rtl)\)[^{}]*\{[^{}]*\}/g
  expect(physicalDeclarations(css.replaceAll(comments, '').replaceAll(rulesOfOneDirection, ''))).toEqual([])
})
