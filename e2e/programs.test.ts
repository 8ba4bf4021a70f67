import { expect, test } from 'vitest'
import { authorization, publishProgram, sendForm } from '../test/support/oauth.ts'
import { accountOn, signInAgain } from './support/account.ts'
import { expectNoViolations } from './support/axe.ts'
import { eventually, expectPageErrors } from './support/browser.ts'
import { focused } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { signUp } from './support/user.ts'

const site = useSite({ WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' })
const callback = 'http://127.0.0.1:4321/callback'

test('a visitor signs in, allows a program some of what it asks for, and disconnects it', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  const { queryOf, verifier, usual } = authorization(site, await publishProgram())
  // The user must get back to the very same request.
  const state = 'a%2541 & état'
  const visitor = await site.visit(`/oauth/authorize?${queryOf({ redirect_uri: callback, state })}`)
  const { page } = visitor
  await page.route(`${callback}**`, (route) => route.fulfill({ body: 'Connected' }))
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Sign In', exact: true }).click()
  await signInAgain(page, asha)
  await main.getByText('Claude on this device asks to act as Asha on Rangoli.').waitFor()
  await expectNoViolations(page)

  const allow = main.getByRole('button', { name: 'Allow', exact: true })
  for (const action of ['Read', 'Generate', 'Share']) await main.getByLabel(action, { exact: true }).uncheck()
  await allow.click()
  await main.getByText('Allow at least one action.', { exact: true }).waitFor()
  await main.getByLabel('Read', { exact: true }).check()
  await allow.click()
  await page.waitForURL(`${callback}?code=**`)
  await expectPageErrors(visitor, /a request to http:\/\/127\.0\.0\.1:4321\//)
  const back = new URL(page.url()).searchParams
  expect([back.get('state'), back.get('iss')]).toEqual([state, site.url])
  const exchange = { grant_type: 'authorization_code', code: back.get('code') ?? '', redirect_uri: callback }
  const answer = await sendForm(site, '/oauth/token', {
    ...exchange,
    client_id: usual.client_id,
    code_verifier: verifier,
  })
  expect(await answer.json()).toMatchObject({ scope: 'read' })

  await page.goto(`${site.url}/account`)
  const { apiKeys } = accountOn(page)
  const program = apiKeys.getByRole('list', { name: 'Connected programs' }).getByRole('listitem')
  await program.getByText('On your device', { exact: true }).waitFor()
  await program.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
  await eventually(async () => [await program.count(), await focused(page)]).toEqual([0, 'Copy'])
  await eventually(() => asha.trpc.account.apiKeys.list.query()).toEqual([])
})

test('an unknown program leads nowhere, and a rejected one back', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  const { queryOf } = authorization(site, await publishProgram({ client_name: 'पतंग' }))
  const visitor = await site.visit(`/oauth/authorize?${queryOf({ redirect_uri: 'https://evil.example/' })}`, {
    as: asha,
  })
  const { page } = visitor
  const unknown = 'Unknown program or address.'
  await page.getByRole('alert').getByText(unknown, { exact: true }).waitFor()
  await page.route(`${callback}**`, (route) => route.fulfill({ body: 'Rejected' }))
  await page.goto(`${site.url}/oauth/authorize?${queryOf({ redirect_uri: callback, scope: 'none' })}`)
  await page.getByText('The request of पतंग is not valid. Nothing can be allowed.').waitFor()
  await page.getByRole('button', { name: 'Don’t allow', exact: true }).click()
  await page.waitForURL(`${callback}?error=invalid_scope**`)
  await expectPageErrors(visitor, /a request to http:\/\/127\.0\.0\.1:4321\//)
})
