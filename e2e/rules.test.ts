import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import { openDialog } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'rules-'))
const file = path.join(folder, 'rules.md')
writeFileSync(file, '# House rules\n\nBe **kind**.\n\n| kind | result |\n|---|---|\n| spam | deleted |\n')
afterAll(() => rm(folder, { recursive: true }))

const site = useSite({ RULES_FILE: file, CONTACT: 'hello@example.org' })

test('the footer leads to the pages about the site', async () => {
  const { page } = await site.visit('/')
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'About', exact: true }).click()
  const about = page.getByRole('heading', { level: 1, name: 'About Rangoli' })
  await about.waitFor()
  expect(await page.title()).toBe('About Rangoli')
  expect(await about.evaluate((heading) => heading === document.activeElement)).toBe(true)
  await expectNoViolations(page)

  await footer.getByRole('link', { name: 'Rules', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'House rules' }).waitFor()
  await page.getByText('Be kind.').waitFor()
  await expectNoViolations(page)
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'House rules' }).waitFor()
})

test('links the rules where users sign up', async () => {
  const { page } = await site.visit('/')
  const { dialog, toSignUp } = await openDialog(page)
  const link = dialog.getByRole('link', { name: 'rules of this site' })
  expect(await link.count()).toBe(0)
  await toSignUp.click()
  expect(await link.getAttribute('href')).toBe('/rules')
  expect(await link.getAttribute('target')).toBe('_blank')
})
