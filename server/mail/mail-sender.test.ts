import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/support/databases.ts'
import { startTestMailServer } from '../../test/support/mail.ts'
import { openLog } from '../observability/log.ts'
import { claimMail, finishMail, queueBundledMail, queueMail, releaseMail } from './mail-queue.ts'
import { UnsubscribeLinks } from './unsubscribe-links.ts'
import type { Worker } from '../tasks/queue-worker.ts'
import { createMailSender } from './mail-sender.ts'

/** Starts an SMTP server, and opens connections to one database: PostgreSQL where the tests use it, otherwise a SQLite file. */
async function createSite(options?: Parameters<typeof startTestMailServer>[0], authority = '127.0.0.1') {
  const mail = await startTestMailServer(options)
  const { open } = await createTestDatabase()
  const lines: string[] = []
  const outcomes: string[] = []

  const db = await open()

  /** Starts a process that sends mails. */
  async function start(): Promise<Worker> {
    const sender = createMailSender({
      db: await open(),
      now: Date.now,
      unsubscribeLinks: new UnsubscribeLinks('a secret of the site'),
      log: openLog('debug', { write: (line) => void lines.push(line) }),
      config: { url: `smtp://${authority}:${mail.port}`, from: 'gallery@rangoli.test' },
      readSiteName: () => Promise.resolve('Lamps & <Co>'),
      publicOrigin: null,
      onFinished: (outcome) => outcomes.push(outcome),
    })
    sender.start()
    onTestFinished(() => sender.stop(0))
    return sender
  }

  let accounts = 0
  /** Adds an account, and queues a mail to it. */
  async function queue(): Promise<string> {
    accounts += 1
    const id = `user-${accounts}`
    const email = `${id}@example.org`
    const now = new Date().toISOString()
    await sql`
      INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      VALUES (${id}, ${id}, ${email}, TRUE, ${now}, ${now})`.execute(db)
    await db.transaction().execute((transaction) =>
      queueMail(transaction, {
        userId: id,
        language: 'en',
        message: { kind: 'moderation', decision: 'restored', prompt: 'A lamp', reasons: [], note: 'A note' },
      }),
    )
    return email
  }

  const rows = () => db.selectFrom('mails').selectAll().execute()
  const makeAllDue = () => db.updateTable('mails').set({ due_at: 0 }).execute()
  return { mail, db, start, queue, rows, makeAllDue, lines, outcomes }
}

test('a mail is sent and its row deleted', async () => {
  const { mail, start, queue, rows, outcomes } = await createSite()
  const email = await queue()
  await start()
  const { text, html, parsed } = await mail.waitForMail(email)
  expect(text).toContain('Lamps & <Co>')
  expect(html).toContain('Lamps &#38; &#60;Co&#62;')
  expect(parsed.from?.value).toEqual([{ name: 'Lamps & <Co>', address: 'gallery@rangoli.test' }])
  await expect.poll(rows).toEqual([])
  expect(outcomes).toEqual(['sent'])
})

test('several processes send each mail once', async () => {
  const { mail, start, queue, rows } = await createSite()
  const emails: string[] = []
  for (let index = 0; index < 20; index += 1) emails.push(await queue())
  await Promise.all([start(), start(), start()])
  for (const email of emails) await mail.waitForMail(email)
  await expect.poll(rows).toEqual([])
  expect(mail.mails.map(({ to }) => to).toSorted()).toEqual(emails.toSorted())
})

test('a mail whose process was killed is sent by the next one when its lease has expired', async () => {
  const { mail, db, start, queue, rows, makeAllDue } = await createSite()
  const email = await queue()
  const claimed = await claimMail(db, 60_000)
  expect(claimed?.attempts).toBe(1)
  await start()
  // Claimed by a process that seems to be alive.
  const other = await queue()
  await mail.waitForMail(other)
  expect(mail.mails.map(({ to }) => to)).toEqual([other])
  await makeAllDue()
  await mail.waitForMail(email)
  await expect.poll(rows).toEqual([])
})

test('a process whose lease has expired does not change what another one has claimed', async () => {
  const { db, rows, makeAllDue } = await createSite()
  const bundled = { userId: 'user_1', message: { kind: 'reports' } } as const
  await queueBundledMail(db, bundled)
  const late = await claimMail(db, 60_000)
  await makeAllDue()
  expect(await claimMail(db, 90_000)).not.toBeNull()
  const claimed = await rows()
  if (late) for (const end of [releaseMail, finishMail]) await end(db, late)
  expect(await rows()).toEqual(claimed)
})

test('a mail is sent again by the same id after an attempt that failed', async () => {
  const { mail, start, queue, rows, makeAllDue, outcomes, lines } = await createSite()
  mail.rejectWhen(() => ({ code: 450, message: 'Mailbox busy' }))
  const email = await queue()
  await start()
  await expect
    .poll(async () =>
      (await rows()).map(({ attempts, due_at: dueAt }) => attempts === 1 && dueAt < Date.now() + 31_000),
    )
    .toEqual([true])
  expect(lines.join('')).toContain('a mail could not be sent; retrying')
  const [row] = await rows()
  mail.rejectWhen(() => undefined)
  await makeAllDue()
  const { parsed } = await mail.waitForMail(email)
  expect(parsed.messageId).toContain(row?.id)
  await expect.poll(() => outcomes).toEqual(['sent'])
})

test('a mail of a later version waits for its processes, and delays no other', async () => {
  const { mail, db, start, queue, rows } = await createSite()
  await queue()
  await db.updateTable('mails').set({ message: '{"kind":"greeting"}' }).execute()
  const email = await queue()
  await start()
  await mail.waitForMail(email)
  await expect.poll(async () => (await rows()).map(({ attempts }) => attempts)).toEqual([1])
})

describe('a mail is given up', () => {
  test('when the SMTP server rejects its recipient for good', async () => {
    const { mail, start, queue, rows, outcomes, lines } = await createSite()
    const [bad, good] = [await queue(), await queue()]
    const gone = { code: 550, message: `No such user: <${bad}>` }
    mail.rejectWhen((address) => (address === bad ? gone : undefined))
    await start()
    await mail.waitForMail(good)
    await expect.poll(rows).toEqual([])
    expect(outcomes.toSorted()).toEqual(['rejected', 'sent'])
    expect(lines.join('')).toContain('the SMTP server rejected it')
    expect(lines.join('')).toContain('No such user')
    expect(lines.join('')).not.toContain(bad)
  })

  test('a day after it was queued', async () => {
    const { mail, db, start, queue, rows, outcomes } = await createSite()
    await queue()
    const expired = { expires_at: Date.now() - 1, attempts: 20 }
    await db.updateTable('mails').set(expired).execute()
    await start()
    await expect.poll(rows).toEqual([])
    expect(outcomes).toEqual(['expired'])
    expect(mail.mails).toEqual([])
  })
})

test('a sender that the SMTP server rejects is a mistake that can be corrected, so the mail stays', async () => {
  const { start, queue, rows } = await createSite({
    onMailFrom: (_address, _session, callback) =>
      callback(Object.assign(new Error('Not your domain'), { responseCode: 553 })),
  })
  await queue()
  await start()
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
})

test('a stopping process completes the mail that is being sent', async () => {
  const { mail, start, queue, rows } = await createSite()
  const email = await queue()
  const release = mail.hold()
  const sender = await start()
  await expect.poll(() => mail.attempts()).toBe(1)
  const stopped = sender.stop(10)
  release()
  await stopped
  expect(mail.mails.map(({ to }) => to)).toEqual([email])
  expect(await rows()).toEqual([])
})

test('a process that can not wait leaves the mail to the next one at once', async () => {
  const { mail, start, queue, rows } = await createSite()
  const email = await queue()
  const release = mail.hold()
  const sender = await start()
  await expect.poll(() => mail.attempts()).toBe(1)
  await sender.stop(0)
  expect(mail.mails).toEqual([])
  expect(await rows()).toHaveLength(1)
  release()
  await start()
  await mail.waitForMail(email)
})

test('a password is not sent to a server that offers no encryption, but for this machine', async () => {
  const authority = 'asha:secret@[::ffff:127.0.0.1]'
  const { mail, start, queue, rows, lines } = await createSite({}, authority)
  await queue()
  await start()
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
  expect(mail.signIns).toEqual([])
  expect(lines.join('')).not.toContain('secret')
})
