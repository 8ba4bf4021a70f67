import { beforeAll, expect, test } from 'vitest'
import { kindOfAction, type AdminAction, type AuditKind } from '../../shared/admin.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { recordAdminAction } from '../audit/admin-log.ts'

const server = shareTestServer()
let meera: TestUser
let asha: TestUser

const startedAt = Date.UTC(2026, 4, 9)

beforeAll(async () => {
  meera = await signUpAdministrator(server())
  asha = await server().signUp('Asha Rao')
  const { db } = server().services
  const { id } = await asha.share('A lotus')
  const record = (action: AdminAction, now: number) =>
    recordAdminAction(
      db,
      { id: meera.id, firstName: 'Meera' },
      { action, ...(kindOfAction[action] === 'users' && { userId: asha.id }), now },
    )
  // At the same time, so that the order does not depend on the clock.
  await record('block', startedAt)
  await record('unblock', startedAt)
  await record('change_option', startedAt + 2)
  await meera.trpc.moderation.hide.mutate({ id, note: 'Too bright' })
  await meera.trpc.moderation.unhide.mutate({ id })
  await db.updateTable('moderation_log').set({ created_at: startedAt }).execute()
  await record('change_role', startedAt + 1)
})

async function readAll(kind: AuditKind | undefined, limit: number): Promise<string[]> {
  const actions: string[] = []
  let cursor: string | undefined
  do {
    const page = await meera.trpc.admin.auditLog.query({
      limit,
      ...(kind !== undefined && { kind }),
      ...(cursor !== undefined && { cursor }),
    })
    expect(page.entries.length).toBeLessThanOrEqual(limit)
    actions.push(...page.entries.map(({ record }) => record.action))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return actions
}

test.each([1, 2, 50])('lists all actions once, newest first, %d at a time', async (limit) => {
  expect(await readAll(undefined, limit)).toEqual([
    'change_option',
    'change_role',
    'unblock',
    'block',
    'unhide',
    'hide',
  ])
})

test.each([
  ['users', ['change_role', 'unblock', 'block']],
  ['site', ['change_option']],
  ['moderation', ['unhide', 'hide']],
] as const)('lists the actions about %s', async (kind, actions) => {
  expect(await readAll(kind, 2)).toEqual(actions)
})

test('names the administrator, and the user by the current name', async () => {
  await server().postAccount('/update-user', { name: 'Asha Devi' }, { cookie: asha.cookie })
  const { entries } = await meera.trpc.admin.auditLog.query({ kind: 'users', limit: 1 })
  expect(entries[0]).toMatchObject({
    kind: 'admin',
    record: { administrator: 'Meera', user: { id: asha.id, name: 'Asha Devi' }, details: {} },
  })
  const decisions = await meera.trpc.admin.auditLog.query({ kind: 'moderation' })
  expect(decisions.entries.at(-1)).toMatchObject({ record: { postName: 'Asha', note: 'Too bright' } })
})

test('rejects members, cursors that it did not return and unknown kinds', async () => {
  await expect(asha.trpc.admin.auditLog.query()).rejects.toMatchObject({ data: { httpStatus: 403 } })
  const cursors = ['', 'x', 'audit:1.1.1', Buffer.from('audit:1.2.1').toString('base64url')]
  for (const cursor of cursors) {
    await expect(meera.trpc.admin.auditLog.query({ cursor })).rejects.toMatchObject({
      data: { httpStatus: 400 },
    })
  }
  const kind = 'nothing' as AuditKind
  await expect(meera.trpc.admin.auditLog.query({ kind })).rejects.toMatchObject({
    data: { httpStatus: 400 },
  })
})
