import { expect, test } from 'vitest'
import { startTestServer } from '../../test/support/test-server.ts'

test('a new user has no notifications', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  expect(await asha.trpc.notifications.list.query()).toEqual({
    notifications: [],
    unreadCount: 0,
    nextCursor: null,
  })
  expect(await asha.trpc.viewer.query()).toMatchObject({ unreadNotifications: 0 })
})
