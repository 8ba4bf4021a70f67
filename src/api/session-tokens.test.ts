import { expect, test } from 'vitest'
import { NoResponse } from './no-answer.ts'
import { SessionTokens } from './session-tokens.ts'

test('without a source there are no tokens, and no others', async () => {
  const tokens = new SessionTokens()
  expect([await tokens.read(), tokens.replace()]).toEqual([null, false])
})

test('tokens come from the source, and none any more once it is taken away', async () => {
  const tokens = new SessionTokens()
  tokens.takeFrom(async () => 'token')
  expect(await tokens.read()).toBe('token')
  tokens.takeFrom(null)
  expect(await tokens.read()).toBe(null)
})

test('after one is refused the next is a fresh one, and only the next', async () => {
  const tokens = new SessionTokens()
  tokens.takeFrom(async ({ fresh }) => (fresh ? 'fresh' : 'kept'))
  expect(tokens.replace()).toBe(true)
  expect([await tokens.read(), await tokens.read()]).toEqual(['fresh', 'kept'])
})

test('a source that never answers is not waited for', async () => {
  const tokens = new SessionTokens(20)
  tokens.takeFrom(() => new Promise(() => {}))
  await expect(tokens.read()).rejects.toThrow(NoResponse)
})

test('a source that fails is no answer', async () => {
  const tokens = new SessionTokens()
  tokens.takeFrom(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(tokens.read()).rejects.toThrow(NoResponse)
})
