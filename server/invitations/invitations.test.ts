import { beforeAll, describe, expect, test } from 'vitest'
import { clerkEnv, signInAtClerk } from '../../test/support/clerk.ts'
import { setRole } from '../access/user-access.ts'
import { makeAccount } from '../../test/support/accounts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../test/support/test-server.ts'

const day = 24 * 60 * 60 * 1_000

let time = Date.now()
const server = shareTestServer({ now: () => time })
let meera: TestUser

beforeAll(async () => {
  meera = await signUpAdministrator(server())
  await meera.trpc.admin.options.update.mutate({ signUp: 'invite' })
})

/** Tries to create an account; a different one each time. */
function join(on: TestServer, invitation?: unknown, name = 'Asha Rao'): Promise<Response> {
  const email = `guest-${freshAddress()}@example.org`
  return on.postAccount('/sign-up/email', { name, email, password: 'correct horse', invitation })
}

async function codeOf(response: Promise<Response>): Promise<[number, string]> {
  const { status } = await response
  const { code } = (await (await response).json()) as { code: string }
  return [status, code]
}

const listed = async (id: string) =>
  (await meera.trpc.admin.invitations.list.query()).invitations.find((invitation) => invitation.id === id)

describe('on a site that is by invitation', () => {
  test('no account is created without an invitation, or with one that this site did not give out', async () => {
    const { administration } = server().services.authenticator
    expect(await administration?.add('command@example.org', 'Kiran')).toMatch(/./)
    expect(await codeOf(join(server()))).toEqual([400, 'INVITATION_MISSING'])
    for (const invitation of ['0'.repeat(32), 'x'.repeat(200)]) {
      expect(await codeOf(join(server(), invitation))).toEqual([400, 'INVITATION_INVALID'])
    }
    for (const invitation of ['', null, 7, ['0'], { id: 'x' }, 'x'.repeat(201)]) {
      expect(await codeOf(join(server(), invitation))).toEqual([400, 'INVITATION_MISSING'])
    }
  })

  test('an invitation creates one account unless its creator chose more', async () => {
    const { token, ...created } = await meera.trpc.admin.invitations.create.mutate({ note: 'For Ravi' })
    expect(created).toMatchObject({
      note: 'For Ravi',
      state: 'open',
      uses: 0,
      maxUses: 1,
      createdBy: 'Meera',
    })
    expect((await join(server(), token, 'Ravi Kumar')).status).toBe(200)
    expect(await codeOf(join(server(), token))).toEqual([400, 'INVITATION_INVALID'])
    expect(await listed(created.id)).toEqual({
      ...created,
      state: 'used_up',
      uses: 1,
      members: ['Ravi Kumar'],
    })
  })

  test('as many accounts are created as an invitation has uses, also at the same time', async () => {
    const { token, id } = await meera.trpc.admin.invitations.create.mutate({ maxUses: 3 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => join(server(), token)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
    const codes = await Promise.all(
      answers.filter(({ ok }) => !ok).map(async (answer) => (await codeOf(Promise.resolve(answer)))[1]),
    )
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'INVITATION_INVALID'))
    expect(await listed(id)).toMatchObject({ uses: 3, state: 'used_up' })
    expect((await listed(id))?.members).toHaveLength(3)
  })

  test('a sign-up that fails does not use the invitation', async () => {
    const { token, id } = await meera.trpc.admin.invitations.create.mutate({})
    const asha = { name: 'Asha', email: 'asha@example.org', password: 'correct horse' }
    const { token: other } = await meera.trpc.admin.invitations.create.mutate({})
    expect((await server().postAccount('/sign-up/email', { ...asha, invitation: other })).status).toBe(200)
    const failures = [
      asha,
      { ...asha, email: 'b@example.org', password: '123' },
      { ...asha, email: 'nothing' },
    ]
    for (const account of failures) {
      const answer = await server().postAccount('/sign-up/email', { ...account, invitation: token })
      expect(answer.ok).toBe(false)
    }
    expect(await listed(id)).toMatchObject({ uses: 0, state: 'open' })
  })

  test('a revoked invitation creates no account any more', async () => {
    const { token, id } = await meera.trpc.admin.invitations.create.mutate({ maxUses: 5 })
    expect((await join(server(), token)).status).toBe(200)
    await meera.trpc.admin.invitations.revoke.mutate({ id })
    await meera.trpc.admin.invitations.revoke.mutate({ id })
    expect(await codeOf(join(server(), token))).toEqual([400, 'INVITATION_INVALID'])
    expect(await listed(id)).toMatchObject({ state: 'revoked', uses: 1 })
    await expect(meera.trpc.admin.invitations.revoke.mutate({ id: 'unknown' })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
  })

  test('an invitation expires', async () => {
    const { token, id } = await meera.trpc.admin.invitations.create.mutate({ expiresInDays: 2 })
    const started = time
    time += 2 * day - 1
    expect(await listed(id)).toMatchObject({ state: 'open' })
    time += 1
    expect(await codeOf(join(server(), token))).toEqual([400, 'INVITATION_INVALID'])
    expect(await listed(id)).toMatchObject({ state: 'expired' })
    time = started
  })

  test('who joined by which invitation is in the audit log', async () => {
    const { token, number } = await meera.trpc.admin.invitations.create.mutate({})
    const answer = await join(server(), token)
    const { user } = (await answer.json()) as { user: { id: string } }
    const entry = await server()
      .services.db.selectFrom('admin_log')
      .selectAll()
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      action: 'accept_invitation',
      administrator_id: meera.id,
      administrator_name: 'Meera',
    })
    expect(JSON.parse(entry.details)).toEqual({ invitation: number })
    expect(Math.abs(entry.created_at - Date.now())).toBeLessThan(60_000)
  })

  test('a token is stored only as a hash, and is in no response but one', async () => {
    const { token, id } = await meera.trpc.admin.invitations.create.mutate({})
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    const rows = await server().services.db.selectFrom('invitations').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(await listed(id))).not.toContain(token)
    const answer = await join(server(), token)
    expect(await answer.text()).not.toContain(id)
  })

  test('an invitation with invalid options is rejected', async () => {
    for (const input of [{ expiresInDays: 91 }, { maxUses: 1_001 }, { note: 'x'.repeat(201) }]) {
      const create = meera.trpc.admin.invitations.create.mutate(input)
      await expect(create).rejects.toMatchObject({ data: { httpStatus: 400 } })
    }
  })
})

describe('the page of an invitation', () => {
  const pageOf = (token: string) => server().request(`/invitation/${token}`)

  async function stateIn(response: Response): Promise<unknown> {
    const [, json = ''] = /id="page-data">(.*?)<\/script>/.exec(await response.text()) ?? []
    return (JSON.parse(json) as { invitation: { state: string } | null }).invitation
  }

  test('says whether the invitation is valid, and is neither cached nor indexed', async () => {
    const { token, id, expiresAt } = await meera.trpc.admin.invitations.create.mutate({})
    const open = await pageOf(token)
    expect(open.headers.get('cache-control')).toBe('no-store')
    expect(open.headers.get('x-robots-tag')).toBe('noindex')
    expect(open.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await stateIn(open)).toEqual({ state: 'open', expiresAt })
    await meera.trpc.admin.invitations.revoke.mutate({ id })
    expect(await stateIn(await pageOf(token))).toEqual({ state: 'revoked', expiresAt })
    expect(await stateIn(await pageOf('0'.repeat(32)))).toEqual({ state: 'unknown', expiresAt: null })
  })

  test('leaves no token in the log', async () => {
    const own = await startTestServer()
    const administrator = await signUpAdministrator(own)
    const { token } = await administrator.trpc.admin.invitations.create.mutate({})
    await own.request(`/invitation/${token}`)
    await own.request(`/invitation/${token}/`, { method: 'POST' })
    await join(own, token)
    expect(own.lines.join('')).toContain('/invitation/…')
    expect(own.lines.join('')).not.toContain(token)
  })
})

test('an invitation is counted on a site that is open, ignored if not valid, and useless if it is closed', async () => {
  const own = await startTestServer()
  const administrator = await signUpAdministrator(own)
  const former = await makeAccount(own)
  await setRole(own.services.db, former.id, 'administrator')
  const { token } = await former.trpc.admin.invitations.create.mutate({ maxUses: 2 })
  for (const invitation of [token, 'x', token, token]) expect((await join(own, invitation)).status).toBe(200)
  await own.services.authenticator.administration?.remove(former.email, { posts: 'remove' })
  const { invitations } = await administrator.trpc.admin.invitations.list.query()
  expect(invitations).toMatchObject([{ uses: 2, createdBy: 'A former administrator' }])
  await administrator.trpc.admin.options.update.mutate({ signUp: 'closed' })
  expect(await codeOf(join(own, token))).toEqual([400, 'EMAIL_PASSWORD_SIGN_UP_DISABLED'])
})

test('with Clerk, which has invitations of its own, the calls say so', async () => {
  const own = await startTestServer({ env: clerkEnv({ CLERK_ADMINISTRATORS: 'user_meera' }) })
  const user = signInAtClerk(own, 'user_meera')
  await expect(user.trpc.admin.invitations.list.query()).rejects.toMatchObject({
    data: { httpStatus: 400, detail: { code: 'accounts_elsewhere' } },
  })
})
