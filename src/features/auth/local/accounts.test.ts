import { expect, test } from 'vitest'
import { loadI18n } from '../../../i18n/messages.ts'
import { describeAccountError, emailError, nameError, newPasswordError, passwordError } from './accounts.ts'

const i18n = await loadI18n('en')

test.each([
  [429, 'rate_limited', undefined, /^Too many attempts\. Try again in a minute\.$/],
  [400, 'EMAIL_TOO_LONG', 'email', /at most 254 characters/],
  [400, 'INVALID_PASSWORD', 'currentPassword', /not your password/],
  [401, 'INVALID_EMAIL_OR_PASSWORD', undefined, /do not belong together/],
  [400, 'VALIDATION_ERROR', undefined, /did not understand/],
  [500, '', undefined, /went wrong on the server/],
  [400, '', undefined, /^Message of the server\.$/],
] as const)('reports %i %s at the field %s', (status, code, field, sentence) => {
  const failure = describeAccountError({ status, code, message: 'Message of the server.' }, i18n)
  const message: unknown = expect.stringMatching(sentence)
  expect(failure).toEqual({ field, message, code })
})

test('an email that only the server rejects is reported at its field', () => {
  const message = '[body.email] Invalid email address'
  expect(describeAccountError({ status: 400, code: 'VALIDATION_ERROR', message }, i18n).field).toBe('email')
})

test.each([{ status: 401, code: 'UNAUTHORIZED' }, { status: 401 }, { status: 400, code: 'SESSION_EXPIRED' }])(
  '%o asks to sign in again',
  (answer) => {
    expect(describeAccountError(answer, i18n)).toMatchObject({ needsSignIn: true })
  },
)

test('asks to sign in again where the session is too old', () => {
  const failure = describeAccountError({ status: 403, code: 'SESSION_NOT_FRESH' }, i18n)
  expect(failure).toMatchObject({
    message: expect.stringMatching(/confirm that it is you/),
    needsSignIn: true,
  })
})

test('translates the detail of an error', () => {
  const detail = { code: 'passkeys_max', values: { max: 20 } } as const
  expect(describeAccountError({ status: 400, code: 'bad_input', detail }, i18n)).toMatchObject({
    message: 'You already have 20 passkeys. Delete one first.',
  })
})

test('says how long to wait after too many attempts', () => {
  const detail = { code: 'rate_limit', values: { what: 'attempts', seconds: 90 } } as const
  expect(describeAccountError({ status: 429, detail }, i18n).message).toBe(
    'Too many attempts. Try again in 90 seconds.',
  )
})

test.each([
  [nameError, ['Asha', '👩🏽'.repeat(80)], ['', '👩🏽‍🎨'.repeat(46), 'नि'.repeat(81)]],
  [
    emailError,
    ['asha@example.com', `${'x'.repeat(64)}@${'y'.repeat(185)}.org`],
    ['', 'asha', `${'x'.repeat(64)}@${'y'.repeat(186)}.org`, `${'x'.repeat(65)}@example.org`],
  ],
  [newPasswordError, ['long enough', 'x'.repeat(128)], ['', 'short', 'x'.repeat(10_000)]],
  // An account may be older than the rule; the server decides.
  [passwordError, ['short'], ['']],
] as const)('%o accepts %j and rejects %j', (validate, valid, invalid) => {
  expect(valid.map((text) => validate(text))).toEqual(valid.map(() => null))
  for (const text of invalid) expect(validate(text)).not.toBeNull()
})
