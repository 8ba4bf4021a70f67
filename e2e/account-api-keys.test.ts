import path from 'node:path'
import type { Page } from 'playwright-core'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { accountOn, signInAgain } from './support/account.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { holdBack, requestLog } from './support/network.ts'
import { signUp } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const calls = {
  list: '**/trpc/*account.apiKeys.list*',
  create: '**/trpc/*account.apiKeys.create*',
  revoke: '**/trpc/*account.apiKeys.revoke*',
}

/** Generates an image over REST and returns the status. */
async function generate(url: string, key: string, prompt: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/imgGenerate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ prompt }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Creates an API key with the form and returns it. */
async function createKey(page: Page, name: string): Promise<string> {
  const account = accountOn(page)
  await account.apiKeyName.fill(name)
  await account.createApiKey.click()
  await account.newApiKey.waitFor()
  return account.newApiKey.inputValue()
}

const questionOn = (page: Page) => page.getByRole('alertdialog')

const site = useSite()

test('an API key is created, shown once, used and revoked', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  const visitor = await site.visit('/account', { as: asha })
  const { page } = visitor
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = accountOn(page)
  await account.apiKeys.getByText('You have no API keys.', { exact: true }).waitFor()
  expect(await account.lifetime.inputValue()).toBe('90')
  const key = await createKey(page, 'Nightly script')
  expect(key).toMatch(/^rgl_[0-9A-Za-z]{49}$/)
  await eventually(() => account.apiKeyNames.allTextContents()).toEqual(['Nightly script'])
  await eventually(() => account.apiKeyName.inputValue()).toBe('')
  await eventually(() => account.newApiKey.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await page.evaluate(() => String(getSelection()))).toBe(key)

  await account.copyNewApiKey.click()
  await account.apiKeys.getByRole('status').getByText('The API key is on your clipboard.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)

  expect(await generate(site.url, key, 'A lotus of the script')).toBe(200)
  const { images } = await asha.trpc.images.list.query({})
  expect(images.map(({ prompt }) => prompt)).toEqual(['A lotus of the script'])

  await page.reload()
  const entry = account.apiKeys.getByRole('listitem')
  await entry.waitFor()
  const facts = await entry.getByRole('definition').allTextContents()
  expect(facts.filter((fact) => /^\w{3} \d+, \d{4}/.test(fact))).toHaveLength(3)
  expect(await page.content()).not.toContain(key.slice(4))

  await entry.getByRole('button', { name: 'Revoke', exact: true }).click()
  const question = questionOn(page)
  await question.getByText('Revoke “Nightly script”?', { exact: true }).waitFor()
  await question.getByRole('button', { name: 'Keep it', exact: true }).click()
  await eventually(() => question.count()).toBe(0)
  await eventually(() => focused(page)).toBe('Revoke')
  expect(await generate(site.url, key, 'A kite of the script')).toBe(200)
  await page.keyboard.press('Enter')
  await question.getByRole('button', { name: 'Revoke', exact: true }).click()
  await account.apiKeys.getByText('You have no API keys.', { exact: true }).waitFor()
  await page.getByRole('status').getByText('The API key is revoked.', { exact: true }).waitFor()
  await eventually(() => focused(page)).toBe('Name of the new key')
  expect(await generate(site.url, key, 'A drum of the script')).toBe(401)
})

describe('the form', () => {
  test.each([
    { name: ' ', sentence: 'Give the API key a name.' },
    { name: '\u200b\u200d', sentence: 'Please give the API key a name.' },
  ])('reports the name $name as invalid at its field', async ({ name, sentence }) => {
    const visitor = await site.visit('/account', { as: await signUp(site.url) })
    visitor.expectedErrors.push(/status of 400/)
    const account = accountOn(visitor.page)
    await account.apiKeyName.fill(name)
    await account.createApiKey.click()
    await account.apiKeys.getByText(sentence, { exact: true }).waitFor()
    expect(await account.apiKeyName.getAttribute('aria-invalid')).toBe('true')
    await eventually(() => account.apiKeyName.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await account.apiKeyName.inputValue()).toBe(name)
  })

  test('creates one key with the chosen lifetime when submitted twice', async () => {
    const asha = await signUp(site.url)
    const { page } = await site.visit('/account', { as: asha })
    const account = accountOn(page)
    const sent = requestLog(page, 'account.apiKeys.create')
    const release = await holdBack(page, calls.create)
    await account.apiKeyName.fill('For good')
    await account.lifetime.selectOption('Never')
    await account.apiKeyName.press('Enter')
    await account.apiKeys.getByRole('button', { name: 'Creating…' }).waitFor()
    await account.apiKeyName.press('Enter')
    release()
    await account.newApiKey.waitFor()
    expect(sent).toHaveLength(1)
    expect(await asha.trpc.account.apiKeys.list.query()).toMatchObject([
      { name: 'For good', expiresAt: null },
    ])
    await account.apiKeys.getByRole('button', { name: 'Done', exact: true }).click()
    await eventually(() => account.newApiKey.count()).toBe(0)
  })

  test('creates a key that allows the chosen actions only', async () => {
    const asha = await signUp(site.url)
    const { page } = await site.visit('/account', { as: asha })
    const account = accountOn(page)
    await eventually(() => account.allowedActions.getByRole('checkbox', { checked: true }).count()).toBe(3)
    for (const action of ['Read', 'Generate', 'Share']) await account.allow(action).uncheck()
    await account.apiKeyName.fill('Chat client')
    await account.createApiKey.click()
    const missing = account.allowedActions.getByText('Allow at least one action.', { exact: true })
    await missing.waitFor()
    await eventually(() => account.allow('Read').evaluate((it) => it === document.activeElement)).toBe(true)
    await account.allow('Generate').check()
    await eventually(() => missing.count()).toBe(0)
    await account.apiKeyName.press('Enter')
    await account.newApiKey.waitFor()
    const key = await account.newApiKey.inputValue()
    expect(await asha.trpc.account.apiKeys.list.query()).toMatchObject([
      { name: 'Chat client', scopes: ['generate'] },
    ])
    await account.apiKeys.getByRole('listitem').getByText('Generate', { exact: true }).waitFor()
    await eventually(() => account.allowedActions.getByRole('checkbox', { checked: true }).count()).toBe(3)
    expect(await generate(site.url, key, 'A lotus of the chat client')).toBe(200)
    const answer = await fetch(`${site.url}/trpc/images.list`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(answer.status).toBe(403)
  })

  test('lists a key whose response was lost, so that it can be revoked', async () => {
    const visitor = await site.visit('/account', { as: await signUp(site.url) })
    const { page } = visitor
    const account = accountOn(page)
    await page.route(calls.create, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await account.apiKeyName.fill('Lost response')
    await account.createApiKey.click()
    await expectPageErrors(visitor, /net::ERR_FAILED/)
    await eventually(() => account.apiKeyNames.allTextContents()).toEqual(['Lost response'])
    expect(await account.newApiKey.count()).toBe(0)
  })

  test('selects the key for copying by hand if the browser does not copy', async () => {
    const { page } = await site.visit('/account', { as: await signUp(site.url) })
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    const key = await createKey(page, 'By hand')
    const account = accountOn(page)
    await account.copyNewApiKey.click()
    await account.apiKeys
      .getByRole('alert')
      .getByText('The browser did not copy the key. Copy the selected text yourself.')
      .waitFor()
    expect(await page.evaluate(() => String(getSelection()))).toBe(key)
  })
})

test('the addresses for other programs are copied, and answer with an API key', async () => {
  const asha = await signUp(site.url)
  const visitor = await site.visit('/account', { as: asha })
  const { page } = visitor
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { apiKeys } = accountOn(page)
  const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A program' })
  for (const { name, base, call, body } of [
    { name: 'OpenAI Images API', base: '/v1', call: '/models', body: null },
    { name: 'MCP server', base: '/mcp', call: '', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    { name: 'REST API', base: '/api/v1', call: '/post', body: null },
  ]) {
    await apiKeys.getByText(site.url + base, { exact: true }).waitFor()
    await apiKeys.getByRole('button', { name: 'Copy', description: name, exact: true }).click()
    await apiKeys.getByRole('button', { name: 'Copied', description: name, exact: true }).waitFor()
    const address = await page.evaluate(() => navigator.clipboard.readText())
    expect(address).toBe(site.url + base)
    const answer = await fetch(address + call, {
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    expect(answer.status).toBe(200)
    await answer.arrayBuffer()
    // Its name leads to examples.
    await apiKeys.getByRole('link', { name, exact: true }).click()
    await page.waitForURL(/\/api\/v1\/docs#[\w-]+$/)
    await page.locator(':target').waitFor()
    await page.goBack()
  }
})

describe('the list', () => {
  test('hides a new key when it is revoked, and moves focus to the next', async () => {
    const asha = await signUp(site.url)
    await asha.trpc.account.apiKeys.create.mutate({ name: 'The older one' })
    const { page } = await site.visit('/account', { as: asha })
    const account = accountOn(page)
    await createKey(page, 'The newer one')
    await eventually(() => account.apiKeyNames.allTextContents()).toEqual(['The newer one', 'The older one'])
    const revokeFirst = account.apiKeys.getByRole('button', { name: 'Revoke', exact: true }).first()
    await revokeFirst.click()
    await questionOn(page).getByRole('button', { name: 'Keep it', exact: true }).click()
    await eventually(() => account.newApiKey.count()).toBe(1)
    await revokeFirst.click()
    await questionOn(page).getByRole('button', { name: 'Revoke', exact: true }).click()
    await eventually(() => account.apiKeyNames.allTextContents()).toEqual(['The older one'])
    expect(await account.newApiKey.count()).toBe(0)
    await eventually(() => focused(page)).toBe('Revoke')
  })

  test('marks an expired API key in the list', async () => {
    const asha = await signUp(site.url)
    const { id } = await asha.trpc.account.apiKeys.create.mutate({ name: 'Of last week', expiresInDays: 7 })
    const db = new Database(path.join(site.folder, 'data/rangoli.db'))
    db.prepare('UPDATE api_keys SET expires_at = ? WHERE id = ?').run(Date.now() - 1_000, id)
    db.close()
    const { page } = await site.visit('/account', { as: asha })
    await accountOn(page).apiKeys.getByRole('term').getByText('Expired', { exact: true }).waitFor()
  })

  test('is not shown to the next user of the same browser', async () => {
    const [asha, ravi] = [await signUp(site.url), await signUp(site.url, 'Ravi Kumar')]
    await asha.trpc.account.apiKeys.create.mutate({ name: 'A secret robot' })
    const visitor = await site.visit('/account', { as: asha })
    const { page } = visitor
    await accountOn(page).apiKeys.getByText('A secret robot', { exact: true }).waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Asha' }).click()
    await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
    await signInAgain(page, ravi)
    await accountOn(page).apiKeys.getByText('You have no API keys.', { exact: true }).waitFor()
    expect(await page.content()).not.toContain('A secret robot')
  })
})
