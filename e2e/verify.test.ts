import sharp from 'sharp'
import { expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import { eventually, expectPageErrors } from './support/browser.ts'
import { focused } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { signUp } from './support/user.ts'

const site = useSite()

test('tells a visitor which post an image file is, looks like, or that it is unknown', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  const { photo } = await asha.share('A lotus at dawn')
  const original = Buffer.from(await (await fetch(site.url + photo)).arrayBuffer())
  const visitor = await site.visit('/about')
  const { page } = visitor
  await page.getByRole('contentinfo').getByRole('link', { name: 'Check an image' }).click()
  await page.getByRole('heading', { level: 1, name: 'Check an image' }).waitFor()
  const choose = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })

  await choose('kolam.jpg', original)
  await page.getByRole('heading', { name: 'This image was made on this site.' }).waitFor()
  await page.getByText('Its file says that a program drew it, without an AI model.').waitFor()
  await eventually(() => focused(page)).toMatch(/^This image was made on this site\./)
  await expectNoViolations(page)

  await choose('notes.png', Buffer.from('no image'))
  await page.getByRole('alert').getByText('JPEG, PNG or WebP').waitFor()
  await expectPageErrors(visitor, /status of 400/)
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0)

  const settings = { IFD2: { UserComment: 'a lake\nSteps: 20, Sampler: Euler, Seed: 7' } }
  const other = sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
  await choose('lake.png', await other.withExif(settings).png().toBuffer())
  await page.getByRole('heading', { name: 'This image is not known here.' }).waitFor()
  await page.getByText('Its file contains settings of AUTOMATIC1111.').waitFor()

  await choose('copy.png', await sharp(original).resize(600).png().toBuffer())
  await page.getByRole('heading', { name: 'This image looks like one of this site.' }).waitFor()
  await page.getByRole('link', { name: 'View the post' }).click()
  await page.getByRole('heading', { level: 1, name: 'A lotus at dawn' }).waitFor()
})
