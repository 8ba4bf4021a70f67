import { expect, test, vi } from 'vitest'
import { cookieOf, shareTestServer } from '../../test/support/test-server.ts'

const server = shareTestServer()

test('rejects mutations by GET', async () => {
  const asha = await server().signUp()
  for (const procedure of ['posts.create', 'posts.delete', 'images.generate']) {
    const address = `/trpc/${procedure}?input={"prompt":"x","id":"x"}`
    const { status } = await server().request(address, { headers: { cookie: asha.cookie } })
    expect([400, 403, 404, 405]).toContain(status)
  }
  expect((await asha.trpc.images.list.query()).images).toEqual([])
})

test('accepts a plain call of images.generate, whose response is not a stream', async () => {
  const asha = await server().signUp()
  const response = await server().postJson('/trpc/images.generate', { prompt: 'A lotus' }, asha)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect((await asha.trpc.images.list.query()).images).toMatchObject([{ prompt: 'A lotus' }])
})

test('account routes reject invalid JSON, and print nothing to the console', async () => {
  const toConsole = vi.spyOn(console, 'error')
  const response = await server().postAccount('/sign-in/email', '{"email":')
  expect(response.status).toBe(400)
  expect(await response.text()).toMatch(/JSON/)
  expect(toConsole).not.toHaveBeenCalled()
})

test('limits the combining marks of a name', async () => {
  const response = await server().postAccount('/sign-up/email', {
    name: `x${'\u0301\u0323'.repeat(10_000)}`,
    email: 'tower@example.org',
    password: 'a quiet lotus at dawn',
  })
  const viewer = await server()
    .client({ cookie: cookieOf(response) })
    .viewer.query()
  expect(viewer?.firstName.normalize('NFD')).toBe(`x${'\u0323'.repeat(4)}${'\u0301'.repeat(4)}`)
})
