import { afterAll, expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import { eventually, expectAlert } from './support/expectations.ts'
import { imageReady } from './support/form.ts'
import { dataUrl, expectToday, generationOn } from './support/generation.ts'
import { signUp } from './support/user.ts'
import { images, startProvider } from './support/provider.ts'
import { useSite } from './support/site.ts'

const provider = await startProvider()
const site = useSite({ ...provider.env, IMAGE_CONCURRENCY: '2' })
afterAll(provider.stop)

/** Starts a batch of four images as a new user. */
async function begin(prompt: string) {
  const asha = await signUp(site.url, 'Asha Rao')
  const visitor = await site.visit('/create-post', { as: asha })
  const { page } = visitor
  const form = generationOn(page)
  await form.prompt.fill(prompt)
  await page.getByRole('button', { name: 'Options', exact: true }).click()
  await page.getByRole('radio', { name: '4', exact: true }).check()
  await form.generate.click()
  await form.generating.waitFor()
  const [first, second] = [await provider.waitForRequest(prompt, 1), await provider.waitForRequest(prompt, 2)]
  return { asha, visitor, page, form, first, second, tiles: tilesOn(page) }
}

function tilesOn(page: Parameters<typeof generationOn>[0]) {
  return page.getByRole('main').getByRole('radio', { name: /^Image \d of 4, / })
}

test('shows three images of four and why the other failed', async () => {
  const { visitor, page, form, first, second, tiles } = await begin('Four lotuses')
  await eventually(() => tiles.count()).toBe(4)
  await expectToday(page, 4)
  await expectNoViolations(page)
  first.preview(images.preview)
  await eventually(() => form.partial.getAttribute('src')).toBe(dataUrl(images.preview))
  first.block()
  await eventually(() =>
    page.getByRole('radio', { name: /^Image \d of 4, failed: The image service/ }).count(),
  ).toBe(1)
  second.finish()
  for (const times of [3, 4]) (await provider.waitForRequest('Four lotuses', times)).finish()
  const message =
    '1 of 4 images failed. The image service does not allow this prompt. Change it and try again.'
  await expectAlert(visitor, message)
  await form.failure.getByText(message, { exact: true }).waitFor()
  await imageReady(form)
  expect(await page.getByRole('radio', { name: /^Image \d of 4, ready$/ }).count()).toBe(3)
  await expectToday(page, 3)
  await expectNoViolations(page)
})

test('joins a batch after a reload and in another tab, and cancels what is unfinished', async () => {
  const { visitor, page, form, first, tiles } = await begin('Four kites')
  first.finish()
  await eventually(() => page.getByRole('radio', { name: /^Image \d of 4, ready$/ }).count()).toBe(1)
  await page.reload()
  await eventually(() => tiles.count()).toBe(4)
  await eventually(() => page.getByRole('radio', { name: /^Image \d of 4, ready$/ }).count()).toBe(1)
  const other = await visitor.openTab('/create-post')
  await eventually(() => tilesOn(other.page).count()).toBe(4)
  await provider.waitForRequest('Four kites', 3)
  await form.cancel.click()
  for (const tab of [page, other.page]) {
    await imageReady(generationOn(tab))
    expect(await generationOn(tab).spinner.count()).toBe(0)
    await expectToday(tab, 3)
  }
})
