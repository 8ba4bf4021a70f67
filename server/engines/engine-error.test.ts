import { expect, test } from 'vitest'
import { connectionError } from './engine-error.ts'

const systemError = (code: string, syscall = 'read') => Object.assign(new Error(code), { code, syscall })
const aggregate = (code: string) => Object.assign(new AggregateError([systemError(code)]), { code })

test.each([
  [systemError('ECONNREFUSED', 'connect'), 'engine_unavailable', 'ECONNREFUSED'],
  [aggregate('ECONNREFUSED'), 'engine_unavailable', 'ECONNREFUSED'],
  [systemError('ENOTFOUND', 'getaddrinfo'), 'engine_unavailable', 'ENOTFOUND'],
  [systemError('EHOSTUNREACH', 'connect'), 'engine_unavailable', 'EHOSTUNREACH'],
  [systemError('ETIMEDOUT', 'connect'), 'engine_unavailable', 'ETIMEDOUT'],
  [aggregate('ETIMEDOUT'), 'engine_unavailable', 'ETIMEDOUT'],
  [systemError('ETIMEDOUT'), 'engine_failed', 'ETIMEDOUT'],
  [systemError('ECONNRESET'), 'engine_failed', 'ECONNRESET'],
  [systemError('CERT_HAS_EXPIRED'), 'engine_misconfigured', 'CERT_HAS_EXPIRED'],
  [new TypeError('no code'), 'engine_failed', 'TypeError'],
  ['no error', 'engine_failed', 'string'],
])('classifies the connection error %s as %s', (thrown, code, networkError) => {
  const wrapped = new Error('Connection error.', { cause: thrown })
  for (const error of [thrown, wrapped]) {
    expect(connectionError(error)).toMatchObject({ code, facts: { networkError } })
  }
})
