import path from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startMailServer } from '../test/support/mail.ts'
import { eventually } from './support/expectations.ts'
import { runHosted } from './support/hosted-server.ts'
import { makeFolder, startServer } from './support/server-process.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const mail = await startMailServer()
afterAll(mail.stop)

const site = useSite(mail.env)
let asha: User
let meera: User

async function makeAdministrator(folder: string, { email }: User): Promise<void> {
  const { code } = await runHosted(folder, ['account', 'make-admin', email])
  expect(code).toBe(0)
}

/** Number of queued mails. */
function waitingMails(folder: string): number {
  const database = new Database(path.join(folder, 'data/rangoli.db'), { readonly: true })
  try {
    return database.prepare<[], number>('SELECT count(*) FROM mails').pluck().get() ?? 0
  } finally {
    database.close()
  }
}

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  meera = await signUp(site.url, 'Meera Iyer')
  for (const { email } of [asha, meera]) await mail.discardMail(email)
  await makeAdministrator(site.folder, meera)
})

test('a user switches notices off and on, and gets the next one in the language of the page', async () => {
  const { page } = await site.visit('/account', { as: asha })
  const notices = page.getByRole('region', { name: 'Notices by email' })
  await notices.getByText(asha.email).waitFor()
  const checkbox = notices.getByRole('checkbox', { name: 'Send me notices by email' })
  await eventually(() => checkbox.isChecked()).toBe(true)
  await checkbox.dblclick()
  await checkbox.click()
  await notices.getByText('Saved.').waitFor()
  await page.reload()
  await eventually(() => checkbox.isChecked()).toBe(false)
  const unnoticed = await asha.share('An unnoticed lamp')
  await meera.trpc.moderation.hide.mutate({ id: unnoticed.id })
  await meera.trpc.moderation.unhide.mutate({ id: unnoticed.id })
  // The setting counts when a mail is sent.
  await eventually(() => waitingMails(site.folder)).toBe(0)

  await checkbox.check()
  await notices.getByText('Saved.').waitFor()
  await page.getByLabel('Language', { exact: true }).selectOption('es')
  await page.getByRole('heading', { name: 'Avisos por correo' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Avisos por correo' }).waitFor()
  await meera.trpc.moderation.hide.mutate({ id: unnoticed.id })
  const { subject, parsed } = await mail.waitForMail(asha.email)
  expect(subject).toBe('Tu publicación fue ocultada')
  expect(parsed.headers.get('content-language')).toBe('es')
})

test('a mail that was being sent when the server was killed is sent by the next server', async () => {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  const own = await startMailServer()
  onTestFinished(own.stop)
  const start = async () => {
    const server = await startServer(folder.path, { TRUST_PROXY: '1', ...own.env })
    onTestFinished(() => void server.kill())
    return server
  }
  const first = await start()
  const ravi = await signUp(first.url, 'Ravi Shah')
  const moderator = await signUp(first.url, 'Meera Iyer')
  for (const { email } of [ravi, moderator]) await own.discardMail(email)
  await makeAdministrator(folder.path, moderator)
  const post = await ravi.share('A lamp')
  const release = own.hold()
  await moderator.trpc.moderation.hide.mutate({ id: post.id })
  await eventually(() => own.attempts()).toBe(1)
  await first.kill()
  release()
  const database = new Database(path.join(folder.path, 'data/rangoli.db'))
  // The lease of the killed process, which it can't renew, lasts two minutes.
  expect(database.prepare('UPDATE mails SET due_at = due_at - 120000').run().changes).toBe(1)
  database.close()
  await start()
  await own.waitForMail(ravi.email)
})
