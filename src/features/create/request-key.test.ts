import { expect, test } from 'vitest'
import { newRequestKey } from './request-key.ts'

test('every key is another one, of 32 hexadecimal digits', () => {
  const keys = Array.from({ length: 100 }, newRequestKey)
  expect(new Set(keys).size).toBe(100)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
})
