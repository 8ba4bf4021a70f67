import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = Date.parse('2026-11-05T12:00:00Z')

test.each([
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': 'Thu, 05 Nov 2026 12:00:20 GMT' }, 20_000],
  [{ 'retry-after': 'Thu, 05 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'tomorrow' }, undefined],
  [{}, undefined],
])('%o asks to wait %s ms', (headers, milliseconds) => {
  expect(readRetryAfter(new Headers(headers), now)).toBe(milliseconds)
})
