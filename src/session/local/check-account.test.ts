import { expect, test } from 'vitest'
import { checkAccount } from './check-account.ts'

const account = { name: 'Asha', email: 'asha@example.com', password: 'long enough' }

test.each([
  ['sign-up', account, []],
  ['sign-up', { ...account, name: '' }, ['name']],
  ['sign-in', { ...account, name: '' }, []],
  ['sign-up', { ...account, email: '' }, ['email']],
  ['sign-up', { ...account, email: 'asha' }, ['email']],
  ['sign-up', { ...account, password: 'short' }, ['password']],
  // An account may be older than the rule; the server decides.
  ['sign-in', { ...account, password: 'short' }, []],
  ['sign-in', { ...account, password: '' }, ['password']],
] as const)('%s with %o is wrong in %j', (mode, given, fields) => {
  expect(Object.keys(checkAccount(given, mode))).toEqual(fields)
})
