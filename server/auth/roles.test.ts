import { describe, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { makeAccount, signIn } from '../../test/support/accounts.ts'
import { cookieOf, freshAddress, shareTestServer } from '../../test/support/test-server.ts'
import { setRole } from '../access/user-access.ts'

const server = shareTestServer()

describe('an administrator', () => {
  test('has the role administrator, and other users the role member', async () => {
    const [meera, asha] = [await signUpAdministrator(server()), await server().signUp()]
    expect(await meera.trpc.viewer.query()).toEqual({
      id: meera.id,
      firstName: 'Meera',
      imageUrl: null,
      role: 'administrator',
    })
    expect(await asha.trpc.viewer.query()).toEqual({
      id: asha.id,
      firstName: 'Asha',
      imageUrl: null,
      role: 'member',
    })
  })

  test('gains and loses the role with immediate effect in existing sessions', async () => {
    const asha = await makeAccount(server())
    const { db } = server().services
    await setRole(db, asha.id, 'administrator')
    expect(await asha.trpc.viewer.query()).toMatchObject({ role: 'administrator' })
    await setRole(db, asha.id, 'member')
    expect(await asha.trpc.viewer.query()).toMatchObject({ role: 'member' })
  })

  test.each(['administrator', 'admin', 'user', true, ['administrator'], ''])(
    'is not created by signing up with the role %j',
    async (role) => {
      const account = { name: 'Ravi', email: `${freshAddress()}@example.org`, password: 'correct horse' }
      const answer = await server().postAccount('/sign-up/email', {
        ...account,
        role,
        isAdministrator: true,
        data: { role },
      })
      expect(answer.status).toBe(200)
      for (const response of [answer, await signIn(server(), account)]) {
        const viewer = await server()
          .client({ cookie: cookieOf(response) })
          .viewer.query()
        expect(viewer).toMatchObject({ firstName: 'Ravi' })
        expect(viewer).toMatchObject({ role: 'member' })
      }
    },
  )

  test.each([{ role: 'administrator' }, { name: 'Ravi', role: 'administrator' }])(
    'is not created by updating a user with %j',
    async (body) => {
      const ravi = await makeAccount(server())
      const { cookie } = ravi
      expect((await server().postAccount('/update-user', body, { cookie })).status).toBe(400)
      expect(await ravi.trpc.viewer.query()).toMatchObject({ role: 'member' })
    },
  )
})
