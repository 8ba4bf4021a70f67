import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/support/generations.ts'
import { findFreePorts } from '../../test/support/ports.ts'
import { startMailServer } from '../../test/support/mail.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { makeAccount } from '../../test/support/accounts.ts'
import { queueDigests } from './digests.ts'

const dayMs = 86_400_000
const mail = await startMailServer()
const port = await findFreePorts(1)
const origin = `http://127.0.0.1:${port}`
let time = Date.now()
const server = shareTestServer({
  now: () => time,
  env: { ...mail.env, PORT: String(port), PUBLIC_URL: origin },
})

let ravi: TestUser
beforeAll(async () => {
  ravi = await server().signUp()
})
beforeEach(() => {
  time += 2 * dayMs
})

/** Creates an author whose post is liked, and who wants mails about that. */
async function createAuthor(email: string) {
  const author = await makeAccount(server(), { name: 'Asha', email })
  await author.trpc.notifications.updateSettings.mutate({ like: { mail: true } })
  const post = await author.share('A lotus')
  await ravi.trpc.posts.like.mutate({ id: post.id })
  return { author, post }
}

const mailsTo = (email: string) =>
  mail.mails.filter(({ to, subject }) => to === email && /New on|नया/.test(subject))

test('mails once a day what was not read, with a link that ends it', async () => {
  const { author } = await createAuthor('daily@example.org')
  expect(await queueDigests(server().services)).toBe(1)
  expect(await queueDigests(server().services)).toBe(0)
  await eventually(() => Promise.resolve(mailsTo('daily@example.org'))).toHaveLength(1)
  const [{ subject, text, parsed }] = mailsTo('daily@example.org') as [ReturnType<typeof mailsTo>[number]]
  expect(subject).toBe('New on Rangoli')
  expect(text).toContain('Your post has 1 new like')
  expect(text).toContain(`${origin}/notifications`)
  // The address is not verified.
  expect(text).not.toContain('A lotus')
  expect(parsed.headerLines.find(({ key }) => key === 'list-unsubscribe-post')?.line).toBe(
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  )
  const [, path = ''] =
    /<http:[^>]+(\/unsubscribe\/[^>]+)>/.exec(
      parsed.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? '',
    ) ?? []

  const shown = await server().request(path)
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<button')])
  expect(await author.trpc.notifications.settings.query()).toMatchObject({ like: { mail: true } })
  expect((await server().request(`${path}x`, { method: 'POST' })).status).toBe(404)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = () => server().request(path, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
  const posted = await post()
  expect([posted.status, await posted.text()]).toEqual([200, expect.stringContaining('no more daily mails')])
  expect(await author.trpc.notifications.settings.query()).toMatchObject({
    like: { mail: false, page: true },
    remix: { mail: false },
    decision: { mail: true },
  })

  const { password, cookie, id } = author
  await server().postAccount('/delete-user?posts=remove', { password }, { cookie })
  time += dayMs
  expect((await post()).status).toBe(200)
  const stored = server().services.db.selectFrom('notification_settings').where('user_id', '=', id)
  expect(await stored.selectAll().execute()).toEqual([])
})

test('mails nothing that was read or hidden before it is sent, or is not wanted', async () => {
  const { author, post } = await createAuthor('silent@example.org')
  await author.trpc.notifications.markRead.mutate({ until: new Date(time).toISOString() })
  expect(await queueDigests(server().services)).toBe(0)
  time += 1_000
  await ravi.trpc.posts.unlike.mutate({ id: post.id })
  await ravi.trpc.posts.like.mutate({ id: post.id })
  await author.trpc.notifications.updateSettings.mutate({ like: { mail: false } })
  expect(await queueDigests(server().services)).toBe(0)
  expect(mailsTo('silent@example.org')).toEqual([])
})

test('writes in the language of the user', async () => {
  const { author } = await createAuthor('hindi@example.org')
  await server()
    .services.db.insertInto('user_settings')
    .values({ user_id: author.id, default_visibility: 'public', language: 'hi' })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ language: 'hi' }))
    .execute()
  expect(await queueDigests(server().services)).toBe(1)
  await eventually(() => Promise.resolve(mailsTo('hindi@example.org'))).toMatchObject([
    { subject: 'Rangoli पर नया' },
  ])
})
