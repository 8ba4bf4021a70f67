import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { describeFailure, NoResponse } from './failure.ts'

function errorResponse(message: string, data: unknown) {
  return TRPCClientError.from({ error: { code: -32000, message, data } })
}

test.each([
  [
    errorResponse('No more today.', { reason: 'daily_limit', httpStatus: 429 }),
    { kind: 'rejected', reason: 'daily_limit', message: 'No more today.', isRetryable: false },
  ],
  [errorResponse('x', { reason: 'internal', httpStatus: 500 }), { message: null, isRetryable: true }],
  [TRPCClientError.from(new NoResponse('no response')), { kind: 'unreachable', message: null }],
  [TRPCClientError.from(new SyntaxError('Unexpected token <')), { kind: 'rejected', message: null }],
  [new Error('anything'), { kind: 'rejected', message: null, isRetryable: false }],
])('describes %o', (error, failure) => {
  expect(describeFailure(error)).toMatchObject(failure)
})
