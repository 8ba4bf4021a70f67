import { setupI18n } from '@lingui/core'
import { TRPCClientError } from '@trpc/client'
import { beforeAll, expect, test } from 'vitest'
import { errorDetails, type DetailCode, type ErrorDetail } from '../../shared/error-details.ts'
import { errors, messages, type ErrorCode } from '../../shared/errors.ts'
import { detailMessage, errorMessages, specifiedMessages } from './failure-messages.ts'
import { failureMessage, loadFailureMessages } from './failure.ts'

const english = setupI18n({ locale: 'en', messages: { en: {} } })
const hindi = setupI18n({ locale: 'hi', messages: { hi: {} } })

beforeAll(loadFailureMessages)

function errorResponse(message: string, data: unknown) {
  return TRPCClientError.from({ error: { code: -32000, message, data } })
}

test.each(Object.entries(errors))('has the message of the server for %s', (code, { message }) => {
  expect(english._(errorMessages[code as ErrorCode])).toBe(message)
})

test.each(Object.entries(messages))('has the specified message for %s', (name, message) => {
  expect(english._(specifiedMessages[name as keyof typeof messages])).toBe(message)
})

const values: Partial<Record<DetailCode, readonly object[]>> = {
  announcements_max: [{ max: 5 }],
  api_key_scope: [{ scope: 'share' }],
  api_keys_max: [{ max: 20 }],
  passkeys_max: [{ max: 20 }],
  webhook_address_not_allowed: [{ host: '10.0.0.1' }],
  webhook_deliveries_max: [{ max: 1_000 }],
  webhook_host_unknown: [{ host: 'hooks.example.org' }],
  webhook_host_unresolved: [{ host: 'hooks.example.org' }],
  webhook_url: [{ max: 2_000 }],
  webhooks_max: [{ max: 10 }],
  role_fixed: [{ variable: 'CLERK_ADMINISTRATORS' }],
  engine_paused: [{ label: 'Fine' }],
  engine_restricted: [{ label: 'Fine' }],
  image_too_large: [{ maxMegabytes: 20 }],
  images_left: [
    { left: 1, count: 3 },
    { left: 2, count: 4 },
  ],
  photo_too_large: [{ maxMegabytes: 20 }],
  photo_too_many_pixels: [{ maxMegapixels: 40 }],
  rate_limit: ['requests', 'attempts', 'sign-ups', 'exports'].flatMap((what) =>
    [1, 90, 600].map((seconds) => ({ what, seconds })),
  ),
  storage_limit: [{ megabytes: 500 }],
  text_characters: [
    'prompt',
    'negative_prompt',
    'name',
    'search',
    'report',
    'appeal',
    'note',
    'announcement',
  ].map((subject) => ({ subject, max: 4_000 })),
  upload_in_progress: [{ seconds: 10 }],
}

const details = Object.keys(errorDetails)
  // In English, clients show the exact message of the server.
  .filter((code) => code !== 'text_code_units')
  .flatMap((code) => (values[code as DetailCode] ?? [undefined]).map((of) => ({ code, values: of })))

test.each(details)('has the message of the server for $code with $values', (detail) => {
  const describe = errorDetails[detail.code as DetailCode] as (given: unknown) => string
  expect(detailMessage(detail as ErrorDetail, english)).toBe(describe(detail.values))
})

test('shows the message of the server in English', () => {
  const error = errorResponse('Rangoli does not support seeds.', { reason: 'bad_input', httpStatus: 400 })
  expect(failureMessage(error, english)).toBe('Rangoli does not support seeds.')
  expect(failureMessage(error, hindi)).toBe('The input is not valid.')
})

test('shows the reason in other languages, with durations in that language', () => {
  const detail = { code: 'rate_limit', values: { what: 'requests', seconds: 30 } }
  const error = errorResponse('In English', { reason: 'rate_limited', httpStatus: 429, detail })
  expect(failureMessage(error, hindi)).toBe('Too many requests. Try again in 30 सेकंड.')
})

test('uses the error code for a reason that only a newer server knows', () => {
  const detail = { code: 'too_many_lotuses', values: { max: 3 } }
  const error = errorResponse('Too many lotuses.', { reason: 'bad_input', httpStatus: 400, detail })
  expect(failureMessage(error, hindi)).toBe('The input is not valid.')
})

test('has no message for internal errors', () => {
  expect(failureMessage(errorResponse('x', { reason: 'internal', httpStatus: 500 }), hindi)).toBeNull()
})
