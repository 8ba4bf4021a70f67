import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { AccountData } from '../client-package/rangoli-client.ts'
import { recordAdminAction } from '../audit/admin-log.ts'
import { addCost, changeSpending } from '../images/budget.ts'
import { queueMail } from '../mail/mail-queue.ts'
import { setRole } from '../access/user-access.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { makeAccount, type TestAccount } from '../../test/support/accounts.ts'
import { PasskeyBrowser, TestPasskey } from '../../test/support/passkeys.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer } from '../../test/support/test-server.ts'

/** Tables with a user's rows, and the field of the export that contains them, or why none does. */
const userTables: Readonly<Record<string, keyof AccountData | { readonly notExported: string }>> = {
  user: 'user',
  session: 'sessions',
  account: { notExported: 'password hash; connections with a provider are exported as `connections`' },
  images: 'images',
  posts: 'posts',
  post_likes: 'likes',
  user_settings: 'settings',
  user_access: 'access',
  known_users: 'user',
  admin_log: 'administration',
  collections: 'collections',
  collection_posts: 'collections',
  collection_contributors: 'collections',
  styles: 'styles',
  invitations: 'invitations',
  moderation_log: 'moderation',
  appeals: 'moderation',
  notifications: 'notifications',
  notification_events: { notExported: 'likes, posts and appeals, which are exported' },
  notification_settings: 'notificationSettings',
  push_subscriptions: 'pushSubscriptions',
  webhooks: 'webhooks',
  webhook_deliveries: { notExported: 'log of what was sent to webhooks, on the page of the account' },
  mails: { notExported: 'mails that are about to be sent to the user' },
  api_keys: 'apiKeys',
  passkey: 'passkeys',
  verification: { notExported: 'passkeys that are being added, for minutes' },
  author_totals: { notExported: 'number of posts, which are exported' },
  image_totals: { notExported: 'numbers of images, which are exported' },
  daily_usage: 'dailyUsage',
  daily_spending: { notExported: 'costs of images, which are exported' },
  monthly_spending: { notExported: 'costs of images, which are exported' },
}

/** Tables without personal data, and why they have none. */
const otherTables: Readonly<Record<string, string>> = {
  reports: 'the reporter is not stored',
  collection_reports: 'the reporter is not stored',
  closed_accounts: 'ids of deleted accounts, for an hour',
  provider_sessions: 'encrypted ID tokens of sessions, deleted with them',
  site: 'identity of the site',
  site_options: 'options of the site',
  site_usage: 'totals of the site',
  generation_outcomes: 'totals of the site',
  gallery: 'totals of the site',
  day_totals: 'totals of the site',
  facet_totals: 'totals of the site',
  words: 'totals of the site',
  word_posts: 'words of posts',
  word_changes: 'texts of posts that are being counted, for a second',
  post_facets: 'a view of shapes and engines',
  post_stats: 'totals of each post',
  bucket_folders: 'random names of folders',
  bucket_usage: 'totals of the site',
}

/** Tables of PostgreSQL only, with personal data of generations that have not ended. */
const postgresTables: Readonly<Record<string, string>> = {
  image_previews: 'previews until a generation ends, deleted with the image',
  rate_limits: 'counters of the last hours',
  rateLimit: 'better-auth: counters of the last minutes',
}

const server = shareTestServer({ env: { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' } })
const isOnPostgres = () => dialectOf(server().services.db) === 'postgres'
let asha: TestAccount
let exportedData: AccountData
const rowsBefore = new Map<string, unknown[]>()

beforeAll(async () => {
  asha = await makeAccount(server())
  const meera = await signUpAdministrator(server())
  const { id } = await asha.share('A lotus')
  const collection = await asha.trpc.collections.create.mutate({ title: 'Lotuses' })
  await asha.trpc.collections.addPosts.mutate({ id: collection.id, postIds: [id] })
  const hers = await meera.trpc.collections.create.mutate({ title: 'Ponds', contributors: 'invited' })
  const { path } = await meera.trpc.collections.createInvitation.mutate({ id: hers.id })
  await asha.trpc.collections.join.mutate({ token: path.split('/').at(-1) ?? '' })
  await asha.trpc.styles.create.mutate({ name: 'Dusk', template: '{prompt}, dusk' })
  await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  await asha.trpc.account.webhooks.create.mutate({ url: 'http://127.0.0.1:65535/', events: ['post.hidden'] })
  await meera.trpc.admin.webhooks.create.mutate({ url: 'http://127.0.0.1:65535/', events: ['post.hidden'] })
  await setRole(server().services.db, asha.id, 'moderator')
  await recordAdminAction(
    server().services.db,
    { id: meera.id, firstName: 'Meera' },
    { action: 'change_role', userId: asha.id, now: Date.now() },
  )
  await setRole(server().services.db, asha.id, 'administrator')
  await asha.trpc.admin.invitations.create.mutate({ note: 'For class 7b' })
  await setRole(server().services.db, asha.id, 'moderator')
  await asha.trpc.posts.like.mutate({ id })
  const paid = { owner_id: asha.id, created_at: Date.now(), engine: 'rangoli' }
  await changeSpending(server().services.db, paid, 40_000)
  await addCost(server().services.db, paid, 40_000)
  const browser = new PasskeyBrowser(server(), asha.cookie)
  await browser.add(new TestPasskey())
  await browser.options('register')
  await asha.trpc.account.updateSettings.mutate({ defaultVisibility: 'unlisted' })
  await meera.trpc.moderation.hide.mutate({ id })
  await asha.trpc.moderation.appeal.mutate({ postId: id, comment: 'It is only a lotus.' })
  await meera.trpc.moderation.unhide.mutate({ id })
  await asha.trpc.posts.like.mutate({ id: (await meera.share('A kite')).id })
  await asha.trpc.notifications.markRead.mutate({ until: new Date().toISOString() })
  await asha.trpc.notifications.subscribePush.mutate({
    endpoint: 'https://push.example.org/asha',
    keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'AAAAAAAAAAAAAAAAAAAAAA' },
  })
  await queueMail(server().services.db, {
    userId: asha.id,
    language: 'en',
    message: { kind: 'moderation', decision: 'restored', prompt: 'A lotus', reasons: [], note: '' },
  })
  exportedData = await asha.trpc.account.export.query()
  for (const table of Object.keys(userTables)) rowsBefore.set(table, await rowsOfUser(table))
})

async function tableNames(): Promise<string[]> {
  const tables = await server().services.db.introspection.getTables()
  // SQLite keeps the search index in tables of its own.
  return tables
    .map(({ name }) => name)
    .filter((name) => !/^(?:(?:posts|images)_(?:tri)?grams|sqlite_)/.test(name))
}

/** Rows of a table in which any column contains the user's id. */
async function rowsOfUser(table: string): Promise<unknown[]> {
  const { rows } = await sql`SELECT * FROM ${sql.table(table)}`.execute(server().services.db)
  return rows.filter((row) => JSON.stringify(row).includes(asha.id))
}

test('every table is either covered by export and deletion or holds no personal data', async () => {
  const documented = { ...userTables, ...otherTables, ...(isOnPostgres() && postgresTables) }
  expect((await tableNames()).toSorted()).toEqual(Object.keys(documented).toSorted())
})

test.each(Object.keys(userTables))('the table %s holds rows of a user who has used everything', (table) => {
  expect(rowsBefore.get(table)).not.toEqual([])
})

test.each(Object.entries(userTables).filter(([, exported]) => typeof exported === 'string'))(
  'rows of the table %s are exported as %s',
  (_, exported) => {
    const field = exportedData[exported as keyof AccountData]
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
