import { setupI18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { checkAccount } from './check-account.ts'

const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
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
  expect(Object.keys(checkAccount(given, mode, i18n))).toEqual(fields)
})
