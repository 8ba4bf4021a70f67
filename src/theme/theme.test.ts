import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { themeBootScript } from './boot-script.ts'
import { parseScheme, parseTheme } from './theme.tsx'

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
    localStorage: { getItem: (key: string) => (key === 'theme' ? value : null) },
    document: { documentElement: { setAttribute: (name: string, set: string) => attributes.set(name, set) } },
  })
  expect(attributes.get('data-theme') ?? null).toBe(theme)
})

test.each([
  ['light', 'light'],
  ['dark', 'dark'],
  ['hc', null],
  [null, null],
] as const)('the boot script applies the stored color scheme %j as %j', (value, scheme) => {
  const attributes = new Map<string, string>()
  runInNewContext(themeBootScript, {
    localStorage: { getItem: (key: string) => (key === 'scheme' ? value : null) },
    document: { documentElement: { setAttribute: (name: string, set: string) => attributes.set(name, set) } },
  })
  expect(Object.fromEntries(attributes)).toEqual(scheme ? { 'data-scheme': scheme } : {})
  expect(parseScheme(value)).toBe(scheme)
})

test('the boot script does not throw if storage is blocked', () => {
  const getItem = () => {
    throw new Error('blocked')
  }
  expect(() => runInNewContext(themeBootScript, { localStorage: { getItem }, document: {} })).not.toThrow()
})
