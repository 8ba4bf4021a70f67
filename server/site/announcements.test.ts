import { beforeAll, expect, test } from 'vitest'
import { isAnnouncementLink, type Announcement } from '../../shared/announcements.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import {
  shareTestServer,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../test/support/test-server.ts'

const server = shareTestServer()
let meera: TestUser
let asha: TestUser

beforeAll(async () => {
  meera = await signUpAdministrator(server())
  asha = await server().signUp('Asha Rao')
})

const words = { text: 'Maintenance tonight', level: 'info', link: null, endsAt: null } as const

const textsOn = async (site: TestServer, path = '/about') => {
  const html = await (await site.request(path)).text()
  return [...html.matchAll(/<span[^>]* id="announcement-[^>]*>([^<]*)</g)].map(([, text]) => text)
}

async function removeAll(): Promise<void> {
  for (const { id } of await meera.trpc.admin.announcements.list.query()) {
    await meera.trpc.admin.announcements.remove.mutate({ id })
  }
}

test('an announcement is on every page for everyone until it is removed, also on cached pages', async () => {
  expect(await textsOn(server())).toEqual([])
  const [added] = await meera.trpc.admin.announcements.save.mutate({
    id: null,
    ...words,
    text: ' <b>Tonight</b>\u0000 ',
  })
  for (const path of ['/', '/about', '/account', '/nowhere']) {
    expect(await textsOn(server(), path)).toEqual(['&lt;b&gt;Tonight&lt;/b&gt;'])
  }
  await meera.trpc.admin.announcements.remove.mutate({ id: added?.id ?? '' })
  expect(await textsOn(server())).toEqual([])
})

test('an announcement disappears from cached pages when it ends', async () => {
  let now = Date.UTC(2026, 4, 9, 12)
  const site = await startTestServer({ now: () => now })
  const administrator = await signUpAdministrator(site)
  const save = (text: string, minutes: number) =>
    administrator.trpc.admin.announcements.save.mutate({
      ...words,
      id: null,
      text,
      endsAt: new Date(now + minutes * 60_000).toISOString(),
    })
  await save('Later', 20)
  await save('Sooner', 10)
  expect(await textsOn(site)).toEqual(['Sooner', 'Later'])
  now += 10 * 60_000 - 1
  expect(await textsOn(site)).toEqual(['Sooner', 'Later'])
  now += 1
  expect(await textsOn(site)).toEqual(['Later'])
  now += 10 * 60_000
  expect(await textsOn(site)).toEqual([])
  await expect(save('Past', 0)).rejects.toMatchObject({ message: 'The end must be in the future.' })
  expect(await administrator.trpc.admin.announcements.list.query()).toHaveLength(2)
})

test('changed words are a new announcement for browsers, a changed end is not', async () => {
  const { save } = meera.trpc.admin.announcements
  const [added] = await save.mutate({ id: null, ...words })
  const id = added?.id ?? ''
  const [prolonged] = await save.mutate({ id, ...words, endsAt: '2999-01-01T00:00:00Z' })
  expect(prolonged).toMatchObject({ id, endsAt: '2999-01-01T00:00:00Z' })
  const [changed] = await save.mutate({ id, ...words, text: 'Tomorrow' })
  expect(changed?.id).not.toBe(id)
  await expect(save.mutate({ id, ...words })).rejects.toMatchObject({ data: { httpStatus: 404 } })
  await removeAll()
})

test('stores at most five announcements, each exactly once when they are saved at the same time', async () => {
  const { save, list } = meera.trpc.admin.announcements
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => save.mutate({ id: null, ...words, text: `Number ${index}` })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const stored: readonly Announcement[] = await list.query()
  expect(new Set(stored.map(({ text }) => text)).size).toBe(5)
  await removeAll()
})

test('the audit log has what was announced', async () => {
  const { save, remove } = meera.trpc.admin.announcements
  const [added] = await save.mutate({ id: null, ...words })
  await save.mutate({ id: added?.id ?? '', ...words, endsAt: '2999-01-01T00:00:00Z' })
  await remove.mutate({ id: added?.id ?? '' })
  const { entries } = await meera.trpc.admin.auditLog.query({ kind: 'site', limit: 3 })
  expect(entries.map(({ record }) => record)).toMatchObject(
    ['remove_announcement', 'change_announcement', 'announce'].map((action) => ({
      action,
      administrator: 'Meera',
      user: null,
      details: { text: 'Maintenance tonight' },
    })),
  )
})

test('rejects members, invalid content, and a change through the other options', async () => {
  await expect(asha.trpc.admin.announcements.save.mutate({ id: null, ...words })).rejects.toMatchObject({
    data: { httpStatus: 403 },
  })
  const invalid = [
    { text: ' ' },
    { text: 'x'.repeat(501) },
    { link: 'javascript:alert(1)' },
    { endsAt: 'tomorrow' },
    { level: 'loud' as 'info' },
  ]
  for (const part of invalid) {
    await expect(
      meera.trpc.admin.announcements.save.mutate({ id: null, ...words, ...part }),
    ).rejects.toMatchObject({ data: { httpStatus: 400 } })
  }
  const announcements = { announcements: [] } as object
  await expect(meera.trpc.admin.options.update.mutate(announcements)).rejects.toMatchObject({
    data: { httpStatus: 400 },
  })
})

test.each([
  ['https://status.example.org/today?x=1#y', true],
  ['/rules', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['javascript:alert(1)', false],
  ['https://user@evil.example', false],
  ['/a b', false],
])('an announcement may link to %s: %s', (link, isAllowed) => {
  expect(isAnnouncementLink(link)).toBe(isAllowed)
})
