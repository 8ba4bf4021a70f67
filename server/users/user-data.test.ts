import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { AccountData } from '../../shared/account.ts'
import { makeAccount, type TestAccount } from '../../test/support/accounts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer } from '../../test/support/test-server.ts'

/** Tables with a user's rows, and the field of the export that contains them, or why none does. */
const userTables: Readonly<Record<string, keyof AccountData | { readonly notExported: string }>> = {
  user: 'user',
  session: 'sessions',
  account: { notExported: 'password hash' },
  images: 'images',
  posts: 'posts',
  moderation_log: 'moderation',
  api_keys: 'apiKeys',
  daily_usage: { notExported: 'counters of a day, in `images.quota`' },
}

/** Tables without personal data, and why they have none. */
const otherTables: Readonly<Record<string, string>> = {
  reports: 'the reporter is not stored',
  closed_accounts: 'ids of deleted accounts, for an hour',
  verification: 'better-auth: unused, there are no emails',
  site: 'identity of the site',
  site_usage: 'totals of the site',
  gallery: 'totals of the site',
}

const server = shareTestServer()
let asha: TestAccount

beforeAll(async () => {
  asha = await makeAccount(server())
  const meera = await signUpAdministrator(server())
  const { id: imageId } = await asha.generate('A lotus')
  const { id } = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId })
  await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  await meera.trpc.moderation.hide.mutate({ id })
  await meera.trpc.moderation.unhide.mutate({ id })
})

async function tableNames(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'
    ORDER BY name`.execute(server().services.db)
  return rows.map(({ name }) => name)
}

/** Rows of a table in which any column contains the user's id. */
async function rowsOfUser(table: string): Promise<unknown[]> {
  const { rows } = await sql`SELECT * FROM ${sql.table(table)}`.execute(server().services.db)
  return rows.filter((row) => JSON.stringify(row).includes(asha.id))
}

test('every table is either covered by export and deletion or holds no personal data', async () => {
  expect(await tableNames()).toEqual([...Object.keys(userTables), ...Object.keys(otherTables)].toSorted())
})

test.each(Object.keys(userTables))(
  'the table %s holds rows of a user who has used everything',
  async (table) => {
    expect(await rowsOfUser(table)).not.toEqual([])
  },
)

test.each(Object.entries(userTables).filter(([, exported]) => typeof exported === 'string'))(
  'rows of the table %s are exported as %s',
  async (_, exported) => {
    const data = await asha.trpc.account.export.query()
    const field = data[exported as keyof AccountData]
    expect(Array.isArray(field) ? field : [field]).not.toEqual([])
  },
)

test('no row mentions a user after their account and posts are deleted', async () => {
  const { administration } = server().services.authenticator
  await administration?.remove(asha.email, { posts: 'remove' })
  for (const table of await tableNames()) {
    if (table === 'closed_accounts') continue
    expect({ table, rows: await rowsOfUser(table) }).toEqual({ table, rows: [] })
  }
})
