import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { Post } from '../../shared/posts.ts'
import { makeAccount, type TestAccount } from '../../test/support/accounts.ts'
import { startMailServer } from '../../test/support/mail.ts'
import { findFreePorts } from '../../test/support/ports.ts'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestServer,
} from '../../test/support/test-server.ts'
import { setRole } from '../access/user-access.ts'

const mail = await startMailServer()
afterAll(() => mail.stop())
const port = await findFreePorts(1)
const site = shareTestServer({
  env: { ...mail.env, PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
})

/** Creates an account, and forgets the mail that confirms its address. */
async function join(): Promise<TestAccount> {
  const account = await makeAccount(site())
  await mail.discardMail(account.email)
  return account
}

/** A user and the only administrator, with an empty queue. */
async function startSite() {
  const server = site()
  const { db } = server.services
  await db.deleteFrom('user_access').execute()
  for (const table of ['mails', 'reports', 'appeals'] as const) await db.deleteFrom(table).execute()
  const [asha, meera] = [await join(), await join()]
  await setRole(db, meera.id, 'administrator')
  return {
    server,
    asha,
    meera,
    makeAllDue: () => db.updateTable('mails').set({ due_at: 0 }).execute(),
    queued: () => db.selectFrom('mails').select(['due_at', 'attempts', 'pending']).execute(),
  }
}

async function report(server: TestServer, { id }: Post): Promise<void> {
  const visitor = server.client({ 'x-forwarded-for': freshAddress() })
  await visitor.posts.report.mutate({ id, reason: 'violent' })
}

const mailsTo = ({ email }: TestAccount) => mail.mails.filter(({ to }) => to === email)

describe('the author of a post', () => {
  test('gets a mail with reasons and note when it is hidden', async () => {
    const { server, asha, meera } = await startSite()
    const verify = sql`UPDATE "user" SET "emailVerified" = TRUE WHERE id = ${asha.id}`
    await verify.execute(server.services.db)
    const post = await asha.share('A lamp <b>& more</b>')
    await report(server, post)
    await meera.trpc.moderation.hide.mutate({ id: post.id, note: 'Too bright & <i>loud</i>' })
    const { subject, text, html, url, parsed } = await mail.waitForMail(asha.email)
    expect(subject).toBe('Your post was hidden')
    for (const line of [
      '> A lamp <b>& more</b>',
      'Reported because: It is violent or cruel',
      '> Too bright & <i>loud</i>',
    ])
      expect(text).toContain(line)
    expect(url).toBe(`${server.url}/your-images`)
    expect(html).toContain('A lamp &#60;b&#62;&#38; more&#60;/b&#62;')
    expect(text + html).not.toContain('Meera')
    expect(html).not.toMatch(/<img|<script|src=/)
    expect(parsed.from?.value).toEqual([{ name: 'Rangoli', address: 'gallery@rangoli.test' }])
    expect(parsed.headers.get('auto-submitted')).toBe('auto-generated')
    expect(parsed.messageId).toMatch(/@rangoli\.test>$/)
  })

  test('gets a mail about each decision, which names neither the prompt, unless verified, nor a role', async () => {
    const { server, asha, meera } = await startSite()
    await setRole(server.services.db, meera.id, 'moderator')
    const { id } = await asha.share('Buy my lamps')
    await meera.trpc.moderation.hide.mutate({ id, note: 'Too bright' })
    await asha.trpc.moderation.appeal.mutate({ postId: id, comment: 'It is a lamp.' })
    await meera.trpc.moderation.dismiss.mutate({ id })
    await meera.trpc.moderation.unhide.mutate({ id })
    const mails = await mail.waitForMails(asha.email, 3)
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      'Your appeal was dismissed',
      'Your post is visible again',
      'Your post was hidden',
    ])
    const texts = mails.map(({ text, html }) => text + html).join('\n')
    expect(texts).toContain('Note on the decision:')
    expect(texts).not.toMatch(/Buy my lamps|administrators? (?:has|have|wrote)/i)
  })

  test('gets one mail when an administrator deletes the image with all its posts', async () => {
    const { asha, meera, queued } = await startSite()
    const { id: imageId } = await asha.generate('A lamp shared twice')
    const create = (prompt: string) => asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })
    const [first] = [await create('A lamp'), await create('The same lamp')]
    await meera.trpc.posts.delete.mutate({ id: first.id })
    expect((await mail.waitForMail(asha.email)).subject).toBe('Your post was deleted')
    await expect.poll(queued).toEqual([])
    expect(mailsTo(asha)).toHaveLength(1)
  })

  test('gets none about own decisions, dismissed reports, or with notices switched off', async () => {
    const { server, asha, meera } = await startSite()
    const own = await meera.share('A lamp of the administrator')
    await meera.trpc.moderation.hide.mutate({ id: own.id })
    const reported = await asha.share('A reported lamp')
    await report(server, reported)
    await meera.trpc.moderation.dismiss.mutate({ id: reported.id })
    await asha.trpc.account.updateSettings.mutate({ mailNotices: false })
    await meera.trpc.moderation.hide.mutate({ id: reported.id })
    const ravi = await join()
    const last = await ravi.share('The last lamp')
    await meera.trpc.moderation.hide.mutate({ id: last.id })
    await mail.waitForMail(ravi.email)
    expect(mailsTo(asha)).toEqual([])
    expect(mailsTo(meera).filter(({ subject }) => subject.startsWith('Your post'))).toEqual([])
  })

  test('reads it in the language of their latest request', async () => {
    const { server, asha, meera } = await startSite()
    const headers = { cookie: `${asha.cookie}; language=ar` }
    await server.request('/api/auth/get-session', { headers })
    const post = await asha.share('A lamp in Arabic')
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    const { subject, html, parsed } = await mail.waitForMail(asha.email)
    expect(subject).toBe('أُخفي منشورك')
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(parsed.headers.get('content-language')).toBe('ar')
  })
})

describe('moderators and administrators', () => {
  test('get one mail about several reports, and the next one after an hour', async () => {
    const { server, asha, meera, makeAllDue, queued } = await startSite()
    const ravi = await join()
    await setRole(server.services.db, ravi.id, 'moderator')
    const posts = [await asha.share('First lamp'), await asha.share('Second lamp')]
    for (const post of posts) await report(server, post)
    const { url } = await mail.waitForMail(meera.email)
    expect(url).toBe(`${server.url}/moderation`)
    await mail.waitForMail(ravi.email)
    for (const post of posts) await report(server, post)
    // Neither sent at once nor forgotten.
    const later = { due_at: expect.any(Number), attempts: 0, pending: expect.any(Number) }
    await expect.poll(queued).toEqual([later, later])
    for (const { due_at: dueAt } of await queued())
      expect(dueAt).toBeGreaterThan(Date.now() + 55 * 60 * 1_000)
    expect(mailsTo(meera)).toHaveLength(1)
    await makeAllDue()
    const [first, second] = await mail.waitForMails(meera.email, 2)
    expect(second?.subject).toBe('2 posts wait for a decision')
    expect(second?.parsed.messageId).not.toBe(first?.parsed.messageId)
    expect(second?.text).not.toContain('lamp')
  })

  test('get none after an hour without new reports', async () => {
    const { server, asha, meera, makeAllDue, queued } = await startSite()
    await report(server, await asha.share('A lamp'))
    await mail.waitForMail(meera.email)
    await expect.poll(queued).toMatchObject([{ pending: 0 }])
    await makeAllDue()
    await expect.poll(queued).toEqual([])
    expect(mailsTo(meera)).toHaveLength(1)
  })

  test('get none once they are members again', async () => {
    const { server, asha, meera, makeAllDue, queued } = await startSite()
    mail.rejectWhen(() => ({ code: 450, message: 'Try again later' }))
    await report(server, await asha.share('A lamp'))
    // It is tried again in half a minute: the attempt has ended.
    const pause = async () => ((await queued())[0]?.due_at ?? 0) - Date.now()
    await expect.poll(async () => (await pause()) > 10_000 && (await pause()) < 60_000).toBe(true)
    await setRole(server.services.db, meera.id, 'member')
    mail.rejectWhen(() => undefined)
    await makeAllDue()
    await expect.poll(async () => (await queued())[0]?.pending ?? 0).toBe(0)
    expect(mailsTo(meera)).toEqual([])
  })
})

test('without SMTP_URL no mails are queued', async () => {
  const server = await startTestServer()
  const [asha, meera] = [await makeAccount(server), await makeAccount(server)]
  await setRole(server.services.db, meera.id, 'administrator')
  const post = await asha.share('A lamp')
  await report(server, post)
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  expect(await server.services.db.selectFrom('mails').selectAll().execute()).toEqual([])
})
