import { expect, test } from 'vitest'
import { NoResponse } from './failure.ts'
import { SessionTokens } from './session-tokens.ts'

test('requests one fresh token after a rejected one', async () => {
  const tokens = new SessionTokens(async ({ fresh }) => (fresh ? 'fresh' : 'cached'))
  expect(await tokens.read()).toBe('cached')
  tokens.invalidate()
  expect([await tokens.read(), await tokens.read()]).toEqual(['fresh', 'cached'])
})

test.each([
  ['never responds', () => new Promise<never>(() => {})],
  ['fails', () => Promise.reject(new TypeError('Failed to fetch'))],
])('throws NoResponse if the source %s', async (_, source) => {
  await expect(new SessionTokens(source, 20).read()).rejects.toThrow(NoResponse)
})
