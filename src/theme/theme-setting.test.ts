import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { themeBootScript } from './boot-script.ts'
import { parseTheme } from './theme-setting.ts'

const stored = [
  ['soft-dark', 'soft-dark'],
  ['hc', 'hc'],
  ['dark', null],
  ['', null],
  [null, null],
] as const

test.each(stored)('the stored %j is the theme %j', (value, theme) => {
  expect(parseTheme(value)).toBe(theme)
})

test.each(stored)('before the first paint too: %j is %j', (value, theme) => {
  const attributes = new Map<string, string>()
  runInNewContext(themeBootScript, {
    localStorage: { getItem: () => value },
    document: { documentElement: { setAttribute: (name: string, set: string) => attributes.set(name, set) } },
  })
  expect(attributes.get('data-theme') ?? null).toBe(theme)
})

test('where storage is blocked the page opens all the same', () => {
  const getItem = () => {
    throw new Error('blocked')
  }
  expect(() => runInNewContext(themeBootScript, { localStorage: { getItem } })).not.toThrow()
})
