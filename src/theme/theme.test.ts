import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { themeBootScript } from './boot-script.ts'
import { parseLook } from './theme.tsx'

test.each([
  ['theme', 'soft-dark', { 'data-theme': 'soft-dark' }],
  ['theme', 'hc', { 'data-theme': 'hc' }],
  ['theme', 'dark', {}],
  ['theme', '', {}],
  ['scheme', 'light', { 'data-scheme': 'light' }],
  ['scheme', 'dark', { 'data-scheme': 'dark' }],
  ['scheme', 'hc', {}],
] as const)('page and boot script apply the stored %s %j as %j', (stored, value, expected) => {
  const attributes = new Map<string, string>()
  runInNewContext(themeBootScript, {
    localStorage: { getItem: (key: string) => (key === stored ? value : null) },
    document: {
      documentElement: {
        setAttribute: (name: string, set: string) => attributes.set(name, set),
        removeAttribute: (name: string) => attributes.delete(name),
      },
    },
    addEventListener: () => {},
  })
  expect(Object.fromEntries(attributes)).toEqual(expected)
  expect(parseLook(stored, value)).toBe(Object.values(expected)[0] ?? null)
})

test('the boot script does not throw if storage is blocked', () => {
  const getItem = () => {
    throw new Error('blocked')
  }
  const globals = { localStorage: { getItem }, document: {}, addEventListener: () => {} }
  expect(() => runInNewContext(themeBootScript, globals)).not.toThrow()
})
