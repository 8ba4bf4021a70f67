import { expect, test } from 'vitest'
import { accountOn } from './support/account.ts'
import { eventually } from './support/browser.ts'
import { focused } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { signUp } from './support/user.ts'

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

const site = useSite()

test('an API key is created, shown once, used and revoked', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  const visitor = await site.visit('/account', { as: asha })
  const { page } = visitor
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = accountOn(page)
  await account.apiKeys.getByText('You have no API keys.', { exact: true }).waitFor()
  expect(await account.lifetime.inputValue()).toBe('90')
  await account.apiKeyName.fill('Nightly script')
  await account.createApiKey.click()
  await account.newApiKey.waitFor()
  const key = await account.newApiKey.inputValue()
  expect(key).toMatch(/^rgl_[0-9A-Za-z]{49}$/)
  await eventually(() => account.apiKeyNames.allTextContents()).toEqual(['Nightly script'])
  await eventually(() => account.apiKeyName.inputValue()).toBe('')
  await eventually(() => account.newApiKey.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await page.evaluate(() => String(getSelection()))).toBe(key)

  await account.copyNewApiKey.click()
  await account.apiKeys.getByRole('status').getByText('The API key is on your clipboard.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)

  expect(await generate(site.url, key, 'A lotus of the script')).toBe(200)

  await page.reload()
  const entry = account.apiKeys.getByRole('listitem')
  await entry.waitFor()
  const facts = await entry.getByRole('definition').allTextContents()
  expect(facts.filter((fact) => /^\w{3} \d+, \d{4}/.test(fact))).toHaveLength(3)
  expect(await page.content()).not.toContain(key.slice(4))

  await entry.getByRole('button', { name: 'Revoke', exact: true }).click()
  const question = page.getByRole('alertdialog')
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
})

test('the addresses for other programs are copied, and lead to examples', async () => {
  const asha = await signUp(site.url)
  const { page, context } = await site.visit('/account', { as: asha })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { apiKeys } = accountOn(page)
  await apiKeys.getByRole('button', { name: 'Copy', description: 'MCP server', exact: true }).click()
  await apiKeys.getByRole('button', { name: 'Copied', description: 'MCP server', exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/mcp`)
  await apiKeys.getByRole('link', { name: 'MCP server', exact: true }).click()
  await page.waitForURL(/\/api\/v1\/docs#[\w-]+$/)
  await page.locator(':target').waitFor()
})
