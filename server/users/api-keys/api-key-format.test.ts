import { expect, test } from 'vitest'
import { isApiKey, isWholeToken, makeTokenText, tokenHash } from './api-key-format.ts'

test('a token can be told from any other text, and is one word that a double click selects', () => {
  for (let count = 0; count < 1_000; count += 1) {
    const token = makeTokenText()
    expect(token).toMatch(/^rgl_[0-9A-Za-z]{49}$/)
    expect(isApiKey(token) && isWholeToken(token)).toBe(true)
  }
})

test('no token is made twice, and every place of the secret takes many digits', () => {
  const tokens = Array.from({ length: 2_000 }, makeTokenText)
  expect(new Set(tokens).size).toBe(tokens.length)
  // The first place holds what is left of 256 bits: 62 to the power of 43 is little more.
  for (let place = 4; place < 47; place += 1) {
    expect(new Set(tokens.map((token) => token[place])).size).toBeGreaterThan(55)
  }
})

const token = makeTokenText()
const other = token.endsWith('0') ? '1' : '0'

test.each([
  ['without its last digit', token.slice(0, -1)],
  ['without its checksum', token.slice(0, -6)],
  ['without its first digit', `rgl_${token.slice(5)}`],
  ['with one digit more', `${token}0`],
  ['with another last digit', token.slice(0, -1) + other],
  [
    'with two digits changed round',
    token.replace(/(?<=^.{10})(.)(.)/, (_, a, b) => (a === b ? '--' : b + a)),
  ],
  ['in capitals', `rgl_${token.slice(4).toUpperCase()}`],
  ['twice', token + token],
  ['of the prefix alone', 'rgl_'],
  ['with a space in it', `${token.slice(0, 20)} ${token.slice(20)}`],
  ['of another prefix', token.replace('rgl_', 'rgk_')],
  ['of nothing', ''],
])('a token %s is not whole', (_, text) => {
  expect(isWholeToken(text)).toBe(false)
})

test('what is kept of a token is its SHA-256, and never its text', () => {
  // `printf %s 'rgl_' | sha256sum`
  expect(tokenHash('rgl_')).toHaveLength(64)
  expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
