import { expect, test } from 'vitest'
import { isApiKey, isCompleteApiKey, generateApiKey, hashApiKey } from './api-keys.ts'

test('an API key is recognizable, and a single word that a double click selects', () => {
  for (let count = 0; count < 1_000; count += 1) {
    const key = generateApiKey()
    expect(key).toMatch(/^rgl_[0-9A-Za-z]{49}$/)
    expect(isApiKey(key) && isCompleteApiKey(key)).toBe(true)
  }
})

test('API keys are unique, and every position of the secret varies', () => {
  const keys = Array.from({ length: 2_000 }, generateApiKey)
  expect(new Set(keys).size).toBe(keys.length)
  // The first position holds the remainder of 256 bits: 62 to the power of 43 is slightly larger.
  for (let position = 4; position < 47; position += 1) {
    expect(new Set(keys.map((key) => key[position])).size).toBeGreaterThan(55)
  }
})

const key = generateApiKey()
const other = key.endsWith('0') ? '1' : '0'

test.each([
  ['without its last digit', key.slice(0, -1)],
  ['without its checksum', key.slice(0, -6)],
  ['without its first digit', `rgl_${key.slice(5)}`],
  ['with an extra digit', `${key}0`],
  ['with another last digit', key.slice(0, -1) + other],
  ['with two digits swapped', key.replace(/(?<=^.{10})(.)(.)/, (_, a, b) => (a === b ? '--' : b + a))],
  ['in upper case', `rgl_${key.slice(4).toUpperCase()}`],
  ['repeated', key + key],
  ['that is only the prefix', 'rgl_'],
  ['with a space in it', `${key.slice(0, 20)} ${key.slice(20)}`],
  ['with another prefix', key.replace('rgl_', 'rgk_')],
  ['that is empty', ''],
])('an API key %s is not complete', (_, text) => {
  expect(isCompleteApiKey(text)).toBe(false)
})

test('hashes an API key with SHA-256', () => {
  // `printf %s 'rgl_' | sha256sum`
  expect(hashApiKey('rgl_')).toHaveLength(64)
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
