import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { describeFailure, NoResponse } from './failure.ts'

function errorResponse(message: string, data: unknown) {
  return TRPCClientError.from({ error: { code: -32000, message, data } })
}

test('keeps the server’s message and error code', () => {
  const rejected = errorResponse('You have reached your daily image limit.', {
    reason: 'daily_limit',
    httpStatus: 429,
  })
  expect(describeFailure(rejected)).toEqual({
    kind: 'rejected',
    reason: 'daily_limit',
    message: 'You have reached your daily image limit.',
    detail: null,
    isRetryable: false,
  })
})

test('has no message for users after an internal error', () => {
  expect(describeFailure(errorResponse('x', { reason: 'internal', httpStatus: 500 }))).toMatchObject({
    message: null,
    isRetryable: true,
  })
})

test('distinguishes a missing response from an invalid one', () => {
  const unreachable = TRPCClientError.from(new NoResponse('no response'))
  const invalid = TRPCClientError.from(new SyntaxError('Unexpected token <'))
  expect(describeFailure(unreachable)).toMatchObject({ kind: 'unreachable', message: null })
  expect(describeFailure(invalid)).toMatchObject({ kind: 'rejected', message: null })
  expect(describeFailure(new Error('anything'))).toMatchObject({ kind: 'rejected', message: null })
})
