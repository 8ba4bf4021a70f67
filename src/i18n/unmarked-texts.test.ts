/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, types } from '@babel/core'
import { describe, expect, test } from 'vitest'

/** Attributes and properties with a text of one word, as opposed to names of events, keys or classes. */
const textNames =
  /^(?:aria-label|alt|title|placeholder|label|legend|hint|description|message|confirm|cancel)$/

/** Files with words that are no texts of the interface: the API reference is in English, the settings of images are a format. */
const exempt = /^features\/(?:reference|create\/import-settings)\/|\.test\.|\.d\.ts$/

/** Two or more words, the first one capitalized. */
const phrase = /^\P{L}*\p{Lu}[\p{L}’'-]*[,:;]? \p{Ll}[\p{L}’'-]*(?:[\s.,:;!?…]|$)/u

/** Returns the texts in a source that no macro marks for translation, with their lines. */
function unmarkedTexts(source: string): string[] {
  const program = parseSync(source, {
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: ['typescript', 'jsx'] },
  })
  if (!program) throw new Error('The source has no program.')
  const found: string[] = []
  // Without scopes and paths, which take most of the time of Babel's other traversal.
  types.traverse(program, (node, ancestors) => {
    if (isText(node, ancestors.at(-1)?.node) && !ancestors.some((ancestor) => isMarked(ancestor.node)))
      found.push(`${node.loc?.start.line}: ${textOf(node)?.trim()}`)
  })
  return found
}

/** Returns the text of a node; undefined if it has none. */
function textOf(node: types.Node): string | undefined {
  if (node.type === 'TemplateElement') return node.value.raw
  return node.type === 'JSXText' || node.type === 'StringLiteral' ? node.value : undefined
}

function isText(node: types.Node, parent: types.Node | undefined): boolean {
  const text = textOf(node)
  if (text === undefined) return false
  if (node.type === 'JSXText') return /\p{L}/u.test(text)
  return phrase.test(text) || (node.type === 'StringLiteral' && isNamedText(text, parent))
}

/** Checks whether a string is the value of an attribute or property for texts. */
function isNamedText(text: string, parent: types.Node | undefined): boolean {
  const name =
    parent?.type === 'JSXAttribute'
      ? parent.name.name
      : parent?.type === 'ObjectProperty' && parent.key.type === 'Identifier' && parent.key.name
  return typeof name === 'string' && textNames.test(name) && /\p{Lu}/u.test(text)
}

/** Checks whether the texts in a node are marked, or are for developers. */
function isMarked(node: types.Node): boolean {
  switch (node.type) {
    case 'TaggedTemplateExpression':
    case 'ThrowStatement':
    case 'NewExpression':
      return true
    case 'JSXElement': {
      const { name } = node.openingElement
      return name.type === 'JSXIdentifier' && ['Trans', 'Plural'].includes(name.name)
    }
    case 'CallExpression': {
      const { callee } = node
      if (callee.type === 'Identifier') return ['t', 'msg', 'plural', 'select'].includes(callee.name)
      return callee.type === 'MemberExpression' && types.isIdentifier(callee.object, { name: 'console' })
    }
    default:
      return false
  }
}

const folder = path.join(import.meta.dirname, '..')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !exempt.test(file),
)

test('every text of the interface is marked for translation', () => {
  const unmarked = files.flatMap((file) =>
    unmarkedTexts(readFileSync(path.join(folder, file), 'utf8')).map((text) => `${file}:${text}`),
  )
  expect(unmarked).toEqual([])
})

describe('finding unmarked texts', () => {
  test.each([
    ['content', '<p>Delete</p>'],
    ['an attribute', '<img alt="Peacock" />'],
    ['a property', 'const item = { label: "Delete" }'],
    ['a sentence', 'toast("Post deleted.")'],
    ['a template', 'toast(`Post of ${name} deleted.`)'],
  ])('finds %s', (_, source) => expect(unmarkedTexts(source)).toHaveLength(1))

  test.each([
    '<p>{t`Delete`}</p>',
    '<Trans>Delete <b>it</b></Trans>',
    'throw new Error("No such post.")',
    '<p>·</p>',
  ])('accepts %s', (source) => expect(unmarkedTexts(source)).toEqual([]))
})
