import { expect, test } from 'vitest'
import { clerkEnv } from '../../../test/support/clerk.ts'
import { startTestServer } from '../../../test/support/test-server.ts'

const now = Date.parse('2026-11-26T12:00:00Z')

test('security.txt names the contact for half a year from the request', async () => {
  const env = { CONTACT: 'security@example.org', PUBLIC_URL: 'https://images.example.org' }
  const { request } = await startTestServer({ env, now: () => now })
  const answer = await request('/.well-known/security.txt')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8'])
  expect(await answer.text()).toBe(
    [
      'Contact: mailto:security@example.org',
      'Expires: 2027-05-25T12:00:00.000Z',
      'Canonical: https://images.example.org/.well-known/security.txt',
      '',
    ].join('\n'),
  )
})

test('change-password leads to the account', async () => {
  const { request } = await startTestServer()
  const answer = await request('/.well-known/change-password', { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/account'])
})

test.each([
  ['/.well-known/security.txt', {}],
  ['/.well-known/security.txt', { CONTACT: 'http://example.org' }],
  ['/.well-known/change-password', clerkEnv()],
])('%s is a JSON response with status 404 with %o', async (path, env) => {
  const { request } = await startTestServer({ env })
  const answer = await request(path, { headers: { accept: 'text/html' } })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toEqual({ success: false, error: 'Not found.' })
})
