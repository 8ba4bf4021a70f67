import { expect, test } from 'vitest'
import { NoResponse } from './failure.ts'
import { SessionTokens } from './session-tokens.ts'

test('requests one fresh token after a rejected one', async () => {
  const tokens = new SessionTokens(async ({ fresh }) => (fresh ? 'fresh' : 'cached'))
  expect(await tokens.read()).toBe('cached')
  tokens.invalidate()
  expect([await tokens.read(), await tokens.read()]).toEqual(['fresh', 'cached'])
})

test('times out if the source never responds', async () => {
  const tokens = new SessionTokens(() => new Promise(() => {}), 20)
  await expect(tokens.read()).rejects.toThrow(NoResponse)
})

test('throws NoResponse if the source fails', async () => {
  const tokens = new SessionTokens(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(tokens.read()).rejects.toThrow(NoResponse)
})
