import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { errorDetails, errors, type DetailCode, type ErrorCode } from '../../shared/errors.ts'
import { describedDetail } from '../../server/errors/app-error.ts'
import { loadI18n } from '../i18n/messages.ts'
import { describeFailure, detailMessage, errorMessage, failureMessage, NoResponse } from './failure.ts'

const [english, hindi] = await Promise.all([loadI18n('en'), loadI18n('hi')])

function errorResponse(message: string, data: unknown) {
  return TRPCClientError.from({ error: { code: -32000, message, data } })
}

test.each([
  [
    errorResponse('No more today.', { reason: 'daily_limit', httpStatus: 429 }),
    { kind: 'rejected', reason: 'daily_limit', message: 'No more today.', isRetryable: false },
  ],
  [errorResponse('x', { reason: 'internal', httpStatus: 500 }), { message: null, isRetryable: true }],
  [errorResponse('Too dark.', { httpStatus: 502 }), { reason: null, message: 'Too dark.' }],
  [TRPCClientError.from(new NoResponse('no response')), { kind: 'unreachable', message: null }],
  [TRPCClientError.from(new SyntaxError('Unexpected token <')), { kind: 'rejected', message: null }],
  [new Error('anything'), { kind: 'rejected', message: null, isRetryable: false }],
])('describes %o', (error, failure) => {
  expect(describeFailure(error)).toMatchObject(failure)
})

test('has the messages of the server in English', () => {
  for (const [code, { message }] of Object.entries(errors))
    expect(errorMessage(code as ErrorCode, english)).toBe(message)
  const values = { what: 'attempts', subject: 'search', seconds: 90, max: 4_000, left: 1, count: 3 }
  for (const code of Object.keys(errorDetails) as DetailCode[]) {
    const { message, detail } = (describedDetail as (...given: unknown[]) => never)(code, values)
    expect(detailMessage(detail, english)).toBe(message)
  }
})

test.each([
  ['one without a translation', { code: 'untranslated', values: { message: 'Dark.' } }, 'सर्वर का संदेश: Dark.'],
  ['an error of a newer server', { code: 'lotuses', values: { max: 3 } }, 'दी गई जानकारी सही नहीं है।'],
  [
    'a duration',
    { code: 'rate_limit', values: { what: 'requests', seconds: 30 } },
    'बहुत ज़्यादा अनुरोध। 30 सेकंड में फिर से कोशिश करें।',
  ],
])('shows the text of the server in English, and %s in another language', (_, detail, message) => {
  const error = errorResponse('In English.', { reason: 'bad_input', httpStatus: 400, detail })
  expect(failureMessage(error, english)).toBe('In English.')
  expect(failureMessage(error, hindi)).toBe(message)
})
