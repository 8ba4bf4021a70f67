import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { openTestDatabase } from '../../test/support/databases.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { defaultSiteOptions } from '../../shared/site-options.ts'
import { createReadSiteOptions } from './site-options.ts'

async function withStored(options: Readonly<Record<string, string>>) {
  const db = await openTestDatabase()
  for (const [name, value] of Object.entries(options)) {
    await sql`INSERT INTO site_options (name, value) VALUES (${name}, ${value})`.execute(db)
  }
  const log = { error: vi.fn() }
  return { db, log, read: createReadSiteOptions({}, log) }
}

test.each([
  ['signUp', '"by-vote"'],
  ['dailyImageLimit', '-1'],
  ['unsharedImageDays', '"soon"'],
  ['announcements', '{}'],
  ['announcements', 'no JSON'],
  ['engines', '[1]'],
] as const)('%s is the default while %s is stored, which is logged once', async (name, value) => {
  const { db, log, read } = await withStored({ [name]: value, storageLimitMegabytes: '7' })
  for (let times = 0; times < 3; times += 1) {
    expect(await read(db)).toEqual({ ...defaultSiteOptions, storageLimitMegabytes: 7 })
  }
  expect(log.error).toHaveBeenCalledOnce()
  expect(log.error.mock.calls[0]?.[0]).toMatchObject({ name, value })
  await db.updateTable('site_options').set({ value: '"another"' }).where('name', '=', name).execute()
  await read(db)
  expect(log.error).toHaveBeenCalledTimes(2)
})

test('an engine with options that are not valid is for administrators, the others keep theirs', async () => {
  const paused = { isPaused: true, access: 'member' }
  const engines = { fine: paused, newer: { isPaused: false, access: 'supporter' } }
  const { db, read } = await withStored({ engines: JSON.stringify(engines) })
  expect((await read(db)).engines).toEqual({
    fine: paused,
    newer: { isPaused: false, access: 'administrator' },
  })
})

test('ignores an option of a newer version', async () => {
  const { db, log, read } = await withStored({ colour: '"red"', constructor: '1' })
  expect(await read(db)).toEqual(defaultSiteOptions)
  expect(log.error).not.toHaveBeenCalled()
})

test('a site with an option that is not valid generates, lists and counts images', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  await server.services.db
    .insertInto('site_options')
    .values({ name: 'unsharedImageDays', value: '"soon"' })
    .execute()
  await asha.generate('A lotus')
  expect((await asha.trpc.images.list.query()).images).toHaveLength(1)
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
})

test('a stored value that cannot be parsed is an error of the server, which is logged', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  const failing = vi.spyOn(server.services, 'readOptions').mockImplementation(() => z.never().parseAsync('x'))
  onTestFinished(() => failing.mockRestore())
  const call = asha.trpc.images.quota.query()
  await expect(call).rejects.toMatchObject({ data: { reason: 'internal', httpStatus: 500 } })
  await expect.poll(() => server.lines.join('')).toContain('ZodError')
})
