import path from 'node:path'
import type { Page } from 'playwright-core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { accountOn, signInAgain } from './support/account.ts'
import { eventually, expectComplaints } from './support/expectations.ts'
import { holdBack, requestLog } from './support/network.ts'
import { signUp } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { signInWays } from './support/sign-in-ways.ts'
import { useSite } from './support/site.ts'

const calls = {
  list: '**/trpc/*account.tokens.list*',
  create: '**/trpc/*account.tokens.create*',
  revoke: '**/trpc/*account.tokens.revoke*',
}

/** The status of an image's generation through the REST transport. */
async function generate(url: string, token: string, prompt: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/imgGenerate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ prompt }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Makes a token in the form, and returns its text. */
async function makeToken(page: Page, name: string): Promise<string> {
  const account = accountOn(page)
  await account.tokenName.fill(name)
  await account.makeToken.click()
  await account.newToken.waitFor()
  return account.newToken.inputValue()
}

const questionOn = (page: Page) => page.getByRole('alertdialog')

describe.each(signInWays)('with $name', ({ useWay }) => {
  const way = useWay()

  test('a token is made, shown once, used and revoked', async () => {
    const asha = await way.newUser('Asha Rao')
    const visitor = await way.site.visit('/account', { as: asha })
    const { page } = visitor
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const account = accountOn(page)
    await account.tokens.getByText('You have no tokens.', { exact: true }).waitFor()
    expect(await account.lifetime.inputValue()).toBe('90')
    const token = await makeToken(page, 'Nightly script')
    expect(token).toMatch(/^rgl_[0-9A-Za-z]{49}$/)
    await eventually(() => account.tokenNames.allTextContents()).toEqual(['Nightly script'])
    await eventually(() => account.tokenName.inputValue()).toBe('')
    await eventually(() => account.newToken.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await page.evaluate(() => String(getSelection()))).toBe(token)

    await account.tokens.getByRole('button', { name: 'Copy', exact: true }).click()
    await account.tokens.getByRole('status').getByText('The token is on your clipboard.').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)

    expect(await generate(way.site.url, token, 'A lotus of the script')).toBe(200)
    const { images } = await asha.trpc.images.mine.query({})
    expect(images.map(({ prompt }) => prompt)).toEqual(['A lotus of the script'])

    await page.reload()
    const entry = account.tokens.getByRole('listitem')
    await entry.waitFor()
    const facts = await entry.getByRole('definition').allTextContents()
    expect(facts.filter((fact) => /^\w{3} \d+, \d{4}/.test(fact))).toHaveLength(3)
    expect(await page.content()).not.toContain(token.slice(4))

    await entry.getByRole('button', { name: 'Revoke', exact: true }).click()
    const question = questionOn(page)
    await question.getByText('Revoke “Nightly script”?', { exact: true }).waitFor()
    await question.getByRole('button', { name: 'Keep it', exact: true }).click()
    await eventually(() => question.count()).toBe(0)
    await eventually(() => focused(page)).toBe('Revoke')
    expect(await generate(way.site.url, token, 'A kite of the script')).toBe(200)
    await page.keyboard.press('Enter')
    await question.getByRole('button', { name: 'Revoke', exact: true }).click()
    await account.tokens.getByText('You have no tokens.', { exact: true }).waitFor()
    await page.getByRole('status').getByText('The token is revoked.', { exact: true }).waitFor()
    await eventually(() => focused(page)).toBe('Name of a new token')
    expect(await generate(way.site.url, token, 'A drum of the script')).toBe(401)
  })

  test('who is signed out meanwhile signs in again, and goes on', async () => {
    const asha = await way.newUser('Asha Rao')
    const visitor = await way.site.visit('/account', { as: asha })
    const { page } = visitor
    visitor.expected.push(/status of 401/)
    await accountOn(page).tokenName.fill('Nightly script')
    const goOn = await way.loseSession(asha)
    await accountOn(page).makeToken.click()
    goOn()
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    await way.signIn(page, asha)
    await eventually(() => page.getByRole('dialog').count()).toBe(0)
    await makeToken(page, 'Nightly script')
    expect(await asha.trpc.posts.list.query()).toMatchObject({ total: 0 })
    await eventually(() => accountOn(page).tokenNames.allTextContents()).toEqual(['Nightly script'])
  })
})

describe('the form', () => {
  const site = useSite()

  test.each([
    { name: ' ', sentence: 'Give the token a name.' },
    { name: '\u200b\u200d', sentence: 'Please give the token a name.' },
    { name: 'नि'.repeat(81), sentence: 'A name may have at most 80 characters.' },
  ])('says beside its field that $name is no name', async ({ name, sentence }) => {
    const visitor = await site.visit('/account', { as: await signUp(site.url) })
    visitor.expected.push(/status of 400/)
    const account = accountOn(visitor.page)
    await account.tokenName.fill(name)
    await account.makeToken.click()
    await account.tokens.getByText(sentence, { exact: true }).waitFor()
    expect(await account.tokenName.getAttribute('aria-invalid')).toBe('true')
    await eventually(() => account.tokenName.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await account.tokenName.inputValue()).toBe(name)
  })

  test('makes one token, however often one presses, for as long as is chosen', async () => {
    const asha = await signUp(site.url)
    const { page } = await site.visit('/account', { as: asha })
    const account = accountOn(page)
    const sent = requestLog(page, 'account.tokens.create')
    const release = await holdBack(page, calls.create)
    await account.tokenName.fill('For good')
    await account.lifetime.selectOption('Never')
    await account.tokenName.press('Enter')
    await account.tokens.getByRole('button', { name: 'Making…' }).waitFor()
    await account.tokenName.press('Enter')
    release()
    await account.newToken.waitFor()
    expect(sent).toHaveLength(1)
    expect(await asha.trpc.account.tokens.list.query()).toMatchObject([{ name: 'For good', expiresAt: null }])
    await account.tokens.getByRole('button', { name: 'Done', exact: true }).click()
    await eventually(() => account.newToken.count()).toBe(0)
  })

  test('keeps what was typed where the network is gone', async () => {
    const visitor = await site.visit('/account', { as: await signUp(site.url) })
    const { page } = visitor
    const account = accountOn(page)
    await page.route(calls.create, (route) => route.abort())
    await account.tokenName.fill('Nightly script')
    await account.makeToken.click()
    await account.tokens
      .getByRole('alert')
      .getByText(/could not be reached/)
      .waitFor()
    await expectComplaints(visitor, /net::ERR_FAILED/)
    expect(await account.tokenName.inputValue()).toBe('Nightly script')
    await page.unroute(calls.create)
    await account.makeToken.click()
    await account.newToken.waitFor()
  })

  test('shows a token that was made though no answer came, so that it can be revoked', async () => {
    const visitor = await site.visit('/account', { as: await signUp(site.url) })
    const { page } = visitor
    const account = accountOn(page)
    await page.route(calls.create, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await account.tokenName.fill('Lost on its way')
    await account.makeToken.click()
    await expectComplaints(visitor, /net::ERR_FAILED/)
    await eventually(() => account.tokenNames.allTextContents()).toEqual(['Lost on its way'])
    expect(await account.newToken.count()).toBe(0)
  })

  test('says where one has as many tokens as one may have', async () => {
    const asha = await signUp(site.url)
    for (let count = 1; count <= 20; count += 1) {
      await asha.trpc.account.tokens.create.mutate({ name: `Token ${count}` })
    }
    const visitor = await site.visit('/account', { as: asha })
    visitor.expected.push(/status of 429/)
    const account = accountOn(visitor.page)
    await account.tokenName.fill('One more')
    await account.makeToken.click()
    await account.tokens
      .getByRole('alert')
      .getByText('You have 20 API tokens already. Please revoke one first.', { exact: true })
      .waitFor()
  })

  test('marks the token to be copied by hand where the browser does not copy', async () => {
    const { page } = await site.visit('/account', { as: await signUp(site.url) })
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    const token = await makeToken(page, 'By hand')
    const account = accountOn(page)
    await account.tokens.getByRole('button', { name: 'Copy', exact: true }).click()
    await account.tokens
      .getByRole('alert')
      .getByText('The browser did not copy it. Copy the marked text yourself.')
      .waitFor()
    expect(await page.evaluate(() => String(getSelection()))).toBe(token)
  })
})

describe('the list', () => {
  const site = useSite()

  test('says where it could not be loaded, and asks again', async () => {
    const visitor = await site.visit('/', { as: await signUp(site.url) })
    const { page } = visitor
    await page.route(calls.list, (route) => route.abort())
    await page.goto('/account')
    const account = accountOn(page)
    await account.tokens
      .getByRole('alert')
      .getByText(/could not be reached/)
      .waitFor()
    await expectComplaints(visitor, /net::ERR_FAILED/)
    await page.unroute(calls.list)
    await account.tokens.getByRole('button', { name: 'Try again', exact: true }).click()
    await account.makeToken.waitFor()
  })

  test('a token that was just made goes from sight when it is revoked, and focus to the next', async () => {
    const asha = await signUp(site.url)
    await asha.trpc.account.tokens.create.mutate({ name: 'The older one' })
    const { page } = await site.visit('/account', { as: asha })
    const account = accountOn(page)
    await makeToken(page, 'The newer one')
    await eventually(() => account.tokenNames.allTextContents()).toEqual(['The newer one', 'The older one'])
    const revokeFirst = account.tokens.getByRole('button', { name: 'Revoke', exact: true }).first()
    await revokeFirst.click()
    await questionOn(page).getByRole('button', { name: 'Keep it', exact: true }).click()
    await eventually(() => account.newToken.count()).toBe(1)
    await revokeFirst.click()
    await questionOn(page).getByRole('button', { name: 'Revoke', exact: true }).click()
    await eventually(() => account.tokenNames.allTextContents()).toEqual(['The older one'])
    expect(await account.newToken.count()).toBe(0)
    await eventually(() => focused(page)).toBe('Revoke')
  })

  test('a token that another tab has revoked is gone here as well', async () => {
    const asha = await signUp(site.url)
    const { id } = await asha.trpc.account.tokens.create.mutate({ name: 'Gone' })
    const visitor = await site.visit('/account', { as: asha })
    visitor.expected.push(/status of 404/)
    const account = accountOn(visitor.page)
    await account.tokens.getByRole('button', { name: 'Revoke', exact: true }).click()
    await asha.trpc.account.tokens.revoke.mutate({ id })
    await questionOn(visitor.page).getByRole('button', { name: 'Revoke', exact: true }).click()
    await account.tokens.getByText('You have no tokens.', { exact: true }).waitFor()
  })

  test('a revocation that fails says why, and can be tried again', async () => {
    const asha = await signUp(site.url)
    await asha.trpc.account.tokens.create.mutate({ name: 'A robot' })
    const visitor = await site.visit('/account', { as: asha })
    const { page } = visitor
    await page.route(calls.revoke, (route) => route.abort())
    await accountOn(page).tokens.getByRole('button', { name: 'Revoke', exact: true }).click()
    const question = questionOn(page)
    await question.getByRole('button', { name: 'Revoke', exact: true }).click()
    await question
      .getByRole('alert')
      .getByText(/could not be reached/)
      .waitFor()
    await expectComplaints(visitor, /net::ERR_FAILED/)
    await page.unroute(calls.revoke)
    await question.getByRole('button', { name: 'Revoke', exact: true }).click()
    await accountOn(page).tokens.getByText('You have no tokens.', { exact: true }).waitFor()
  })

  test('an expired token says so', async () => {
    const asha = await signUp(site.url)
    const { id } = await asha.trpc.account.tokens.create.mutate({ name: 'Of last week', expiresInDays: 7 })
    const db = new Database(path.join(site.folder, 'data/rangoli.db'))
    db.prepare('UPDATE personal_tokens SET expires_at = ? WHERE id = ?').run(Date.now() - 1_000, id)
    db.close()
    const { page } = await site.visit('/account', { as: asha })
    await accountOn(page).tokens.getByRole('term').getByText('Expired', { exact: true }).waitFor()
  })

  test('is not shown to the next user at the same browser', async () => {
    const [asha, ravi] = [await signUp(site.url), await signUp(site.url, 'Ravi Kumar')]
    await asha.trpc.account.tokens.create.mutate({ name: 'A secret robot' })
    const visitor = await site.visit('/account', { as: asha })
    const { page } = visitor
    await accountOn(page).tokens.getByText('A secret robot', { exact: true }).waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Asha' }).click()
    await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
    await signInAgain(page, ravi)
    await accountOn(page).tokens.getByText('You have no tokens.', { exact: true }).waitFor()
    expect(await page.content()).not.toContain('A secret robot')
  })

  test('holds a long name at 360 pixels', async () => {
    const { page } = await site.visit('/account', {
      as: await signUp(site.url),
      viewport: { width: 360, height: 740 },
    })
    await makeToken(page, 'हिरण्यगर्भपुरुषोत्तमनारायणस्वामीगोपालकृष्णन'.padEnd(80, 'x'))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })
})
