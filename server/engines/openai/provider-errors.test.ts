import { expect, test } from 'vitest'
import { errors } from '../../../shared/errors.ts'
import { EngineError, type EngineErrorCode, toAppError } from '../engine-error.ts'
import { parseRetryAfter } from './provider-errors.ts'

const codes: EngineErrorCode[] = [
  'prompt_blocked',
  'engine_failed',
  'engine_timeout',
  'engine_out_of_credit',
  'engine_misconfigured',
  'engine_busy',
]

test.each(codes)('%s has the message of the shared error table', (code) => {
  const { message } = toAppError(new EngineError(code, 'an error'), 'api.example', [])
  expect(message).toBe(errors[code].message)
})

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
])('parses the delay of %o as %s ms', (headers, milliseconds) => {
  expect(parseRetryAfter(headers, now)).toBe(milliseconds)
})
