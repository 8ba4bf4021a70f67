import { expect, test } from 'vitest'
import { linesOf } from '../../../test/support/doctor.ts'
import { startTestMailServer } from '../../../test/support/mail.ts'
import { parseConfig } from '../../config/config.ts'
import { checkMail } from './mail.ts'

const from = { MAIL_FROM: 'gallery@rangoli.test', PUBLIC_URL: 'https://gallery.rangoli.test' }

async function check(env: Record<string, string>): Promise<string[]> {
  const lines = await linesOf(checkMail(parseConfig(env, '/srv')))
  expect(lines.join('\n')).not.toContain('hush')
  return lines
}

test('accepts a server on this machine, and sends no mail', async () => {
  const mail = await startTestMailServer()
  expect(await check({ ...from, SMTP_URL: mail.url })).toEqual([
    `ok: 127.0.0.1:${mail.port} accepts mails.`,
    'ok: Mails come from gallery@rangoli.test; no test mail was sent.',
  ])
  expect(mail.mails).toEqual([])
})

test('accepts an encrypted server with credentials, whose certificate it verifies', async () => {
  const mail = await startTestMailServer({ secure: true })
  const url = `smtps://asha:hush@127.0.0.1:${mail.port}`
  expect((await check({ ...from, SMTP_URL: url }))[0]).toMatch(
    /^problem: The certificate of .* is not accepted/,
  )
  expect(mail.signIns).toEqual([])
  const [line] = await check({ ...from, SMTP_URL: `${url}?tls.rejectUnauthorized=false` })
  expect(line).toBe(`ok: 127.0.0.1:${mail.port} accepts mails, encrypted.`)
  expect(mail.signIns).toEqual(['asha'])
})

test('reports a wrong password', async () => {
  const mail = await startTestMailServer()
  const [line] = await check({ ...from, SMTP_URL: `smtp://asha:wrong@127.0.0.1:${mail.port}` })
  expect(line).toMatch(/^problem: .* rejects the user or password of SMTP_URL .* → Correct them/)
})

test('reports a server that would get the password unencrypted', async () => {
  const mail = await startTestMailServer()
  const url = `smtp://asha:hush@[::ffff:127.0.0.1]:${mail.port}`
  expect((await check({ ...from, SMTP_URL: url }))[0]).toMatch(
    /^problem: .* cannot be encrypted .*requireTLS=false/,
  )
  expect(mail.signIns).toEqual([])
  const lines = await check({ ...from, SMTP_URL: `${url}?requireTLS=false` })
  expect(lines[0]).toMatch(/accepts mails\.$/)
  expect(lines[1]).toMatch(/^note: Mails travel unencrypted/)
})
