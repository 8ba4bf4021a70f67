import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { describeFailure } from './failure.ts'
import { NoResponse } from './no-answer.ts'

function answer(message: string, data: unknown) {
  return TRPCClientError.from({ error: { code: -32000, message, data } })
}

test('the server’s own sentence is kept, with its reason', () => {
  const refused = answer('You have reached your daily image limit.', {
    reason: 'daily_limit',
    httpStatus: 429,
  })
  expect(describeFailure(refused)).toEqual({
    kind: 'answered',
    reason: 'daily_limit',
    message: 'You have reached your daily image limit.',
    mayPass: false,
  })
})

test('an internal failure has no sentence for users', () => {
  expect(describeFailure(answer('x', { reason: 'internal', httpStatus: 500 }))).toMatchObject({
    message: null,
    mayPass: true,
  })
})

test('no answer at all is told from an answer that makes no sense', () => {
  const unreachable = TRPCClientError.from(new NoResponse('no answer'))
  const nonsense = TRPCClientError.from(new SyntaxError('Unexpected token <'))
  expect(describeFailure(unreachable)).toMatchObject({ kind: 'unreachable', message: null })
  expect(describeFailure(nonsense)).toMatchObject({ kind: 'answered', message: null })
  expect(describeFailure(new Error('anything'))).toMatchObject({ kind: 'answered', message: null })
})
