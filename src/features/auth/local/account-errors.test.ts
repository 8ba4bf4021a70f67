import { expect, test } from 'vitest'
import { checkAccount, describeAccountError } from './account-errors.ts'
import { loadI18n } from '../../../i18n/messages.ts'

const i18n = await loadI18n('en')

test.each([
  [429, 'rate_limited', undefined, /^Too many attempts\. Try again in a minute\.$/],
  [400, 'EMAIL_TOO_LONG', 'email', /at most 254 characters/],
  [401, 'INVALID_EMAIL_OR_PASSWORD', undefined, /do not belong together/],
  [422, 'USER_ALREADY_EXISTS', 'email', /already an account/],
  [422, 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL', 'email', /already an account/],
  [400, 'INVALID_EMAIL', 'email', /does not look like/],
  [400, 'NAME_MISSING', 'name', /Enter your name/],
  [400, 'NAME_TOO_LONG', 'name', /at most 80/],
  [400, 'INVALID_PASSWORD', 'currentPassword', /not your password/],
  [400, 'PASSWORD_TOO_SHORT', 'password', /at least 8/],
  [400, 'PASSWORD_TOO_LONG', 'password', /at most 128/],
  [400, 'PASSWORD_TOO_WEAK', 'password', /too easy to guess/],
  [400, 'EMAIL_PASSWORD_SIGN_UP_DISABLED', undefined, /Sign-up is closed/],
  [400, 'INVITATION_MISSING', undefined, /need an invitation/],
  [400, 'INVITATION_INVALID', undefined, /Ask for another one/],
  [403, 'ACCOUNT_BLOCKED', undefined, /has blocked this account/],
  [400, 'PREVIOUSLY_REGISTERED', undefined, /in use already/],
  [400, 'USER_VERIFICATION_MISSING', undefined, /fingerprint, face or PIN/],
  [401, 'PASSKEY_NOT_FOUND', undefined, /does not know this passkey/],
  [401, 'AUTHENTICATION_FAILED', undefined, /could not be verified/],
  [400, 'CHALLENGE_NOT_FOUND', undefined, /took too long/],
  [403, 'EMAIL_NOT_VERIFIED', undefined, /open the link/],
  [400, 'EMAIL_UNCHANGED', 'email', /already the email/],
  [400, 'EMAIL_TAKEN', undefined, /Another account/],
  [400, 'INVALID_TOKEN', undefined, /no longer valid/],
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

const account = { name: 'Asha', email: 'asha@example.com', password: 'long enough' }

test.each([
  ['sign-up', account, []],
  ['sign-up', { ...account, name: '' }, ['name']],
  // As users count: each of these is one character, and many for a program.
  ['sign-up', { ...account, name: '👩🏽'.repeat(80) }, []],
  ['sign-up', { ...account, name: '👩🏽‍🎨'.repeat(46) }, ['name']],
  ['sign-up', { ...account, name: 'नि'.repeat(81) }, ['name']],
  ['sign-in', { ...account, name: '' }, []],
  ['sign-up', { ...account, email: '' }, ['email']],
  ['sign-up', { ...account, email: 'asha' }, ['email']],
  ['sign-up', { ...account, email: `${'x'.repeat(64)}@${'y'.repeat(185)}.org` }, []],
  ['sign-up', { ...account, email: `${'x'.repeat(64)}@${'y'.repeat(186)}.org` }, ['email']],
  ['sign-in', { ...account, email: `${'x'.repeat(65)}@example.org` }, ['email']],
  ['sign-up', { ...account, password: '' }, ['password']],
  ['sign-up', { ...account, password: 'short' }, ['password']],
  ['sign-up', { ...account, password: 'x'.repeat(128) }, []],
  ['sign-up', { ...account, password: 'x'.repeat(10_000) }, ['password']],
  // An account may be older than the rule; the server decides.
  ['sign-in', { ...account, password: 'short' }, []],
  ['sign-in', { ...account, password: '' }, ['password']],
] as const)('%s with %o is wrong in %j', (mode, given, fields) => {
  const wrong = Object.entries(checkAccount(given, mode)).filter(([, error]) => error)
  expect(wrong.map(([field]) => field)).toEqual(fields)
})
