import { expect, test } from 'vitest'
import { NoResponse } from './failure.ts'
import { SessionTokens } from './session-tokens.ts'

test('reads tokens from the source until it is removed', async () => {
  const tokens = new SessionTokens()
  expect([await tokens.read(), tokens.invalidate()]).toEqual([null, false])
  tokens.setSource(async () => 'token')
  expect(await tokens.read()).toBe('token')
  tokens.setSource(null)
  expect(await tokens.read()).toBe(null)
})

test('requests one fresh token after a rejected one', async () => {
  const tokens = new SessionTokens()
  tokens.setSource(async ({ fresh }) => (fresh ? 'fresh' : 'cached'))
  expect(tokens.invalidate()).toBe(true)
  expect([await tokens.read(), await tokens.read()]).toEqual(['fresh', 'cached'])
})

test('times out if the source never responds', async () => {
  const tokens = new SessionTokens(20)
  tokens.setSource(() => new Promise(() => {}))
  await expect(tokens.read()).rejects.toThrow(NoResponse)
})

test('throws NoResponse if the source fails', async () => {
  const tokens = new SessionTokens()
  tokens.setSource(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(tokens.read()).rejects.toThrow(NoResponse)
})
