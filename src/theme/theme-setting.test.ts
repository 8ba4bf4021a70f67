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

test.each(stored)('parses the stored value %j as %j', (value, theme) => {
  expect(parseTheme(value)).toBe(theme)
})

test.each(stored)('the boot script applies the stored value %j as %j', (value, theme) => {
  const attributes = new Map<string, string>()
  runInNewContext(themeBootScript, {
    localStorage: { getItem: () => value },
    document: { documentElement: { setAttribute: (name: string, set: string) => attributes.set(name, set) } },
  })
  expect(attributes.get('data-theme') ?? null).toBe(theme)
})

test('the boot script does not throw if storage is blocked', () => {
  const getItem = () => {
    throw new Error('blocked')
  }
  expect(() => runInNewContext(themeBootScript, { localStorage: { getItem } })).not.toThrow()
})
