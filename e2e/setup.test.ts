import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { useSite } from './support/site.ts'
import { password } from './support/user.ts'

const site = useSite({ SETUP: 'on' })

test('the operator sets up the site with the code of the log, then its appearance and an engine', async () => {
  const { page } = await site.visit('/', { isNew: true })
  const code = await readFile(path.join(site.folder, 'data/setup-code'), 'utf8')
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url() + (request.headers()['referer'] ?? '')))
  await page.getByText('This site has no administrator yet.').waitFor()
  expect(await page.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe('/setup')

  await page.goto(`/setup#code=${code}`)
  await expect.poll(() => page.getByLabel('Code').inputValue()).toBe(code)
  expect(page.url()).toBe(`${site.url}/setup`)
  await page.getByLabel('Name of the site').fill('Kolam House')
  await page.getByLabel('Name', { exact: true }).fill('Meera Iyer')
  await page.getByLabel('Email').fill('operator@example.org')
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Kind').selectOption({ label: 'stable-diffusion.cpp' })
  await page.getByLabel('Address of the server').fill('http://127.0.0.1:9')
  await page.getByRole('button', { name: 'Try the engine' }).click()
  await page.getByText('The engine does not answer.').waitFor()
  await page.getByLabel('Kind').selectOption({ index: 0 })
  await page.getByRole('button', { name: 'Set up the site' }).click()
  await page.waitForURL(`${site.url}/admin`)
  await page.getByRole('banner').getByText('Kolam House').waitFor()
  expect(requests.filter((request) => request.includes(code))).toEqual([])

  await page.getByRole('link', { name: 'Appearance' }).click()
  await page.getByLabel('Accent color', { exact: true }).fill('#7a1fa2')
  await page.getByRole('textbox', { name: 'Rules' }).fill('# House rules\n\nBe **kind**.')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('region', { name: 'Preview of the rules' })
  expect(await preview.locator('strong').innerText()).toBe('kind')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The appearance is saved.').first().waitFor()

  await page.getByRole('link', { name: 'Engines' }).click()
  await page.getByRole('button', { name: 'Add an engine' }).click()
  const dialog = page.getByRole('dialog', { name: 'New engine' })
  await dialog.getByLabel('Kind').selectOption({ label: 'stable-diffusion.cpp' })
  await dialog.getByLabel('Name for users').fill('Second')
  await dialog.getByLabel('Address of the server').fill('http://127.0.0.1:9')
  const headers = dialog.getByLabel('Headers of every request')
  await headers.fill('X-Key')
  await dialog.getByRole('button', { name: 'Add the engine' }).click()
  await expect.poll(() => headers.getAttribute('aria-invalid')).toBe('true')
  await headers.fill('X-Key: 1234')
  await dialog.getByRole('button', { name: 'Add the engine' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('row').filter({ hasText: 'Second' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByText('One is stored.').waitFor()

  await page.goto('/rules')
  await page.getByRole('heading', { name: 'House rules' }).waitFor()
  const accent = () => getComputedStyle(document.documentElement).getPropertyValue('--on-accent')
  expect(await page.evaluate(accent)).toContain('#ffffff')
  expect((await fetch(`${site.url}/setup`)).status).toBe(404)
})
