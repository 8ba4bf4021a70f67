import { expect, test } from 'vitest'
import { eventually, expectAlert } from './support/expectations.ts'
import { formOn, generate, imageCount } from './support/form.ts'
import { requestLog } from './support/network.ts'
import { signUp } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite({ DAILY_IMAGE_LIMIT: '1' })
const limitMessage = 'You have reached your daily image limit.'

test('alerts without a request when the daily limit is reached', async () => {
  const visitor = await site.visit('/create-post', { as: await signUp(site.url) })
  const { page } = visitor
  const form = formOn(page)
  await generate(page, 'A lotus')
  await page.getByText('Generated today: 1', { exact: true }).waitFor()
  await eventually(() => imageCount(page)).toBe('1')
  const count = page.locator(`#${await form.generate.getAttribute('aria-describedby')}`)
  expect(await count.innerText()).toContain('0 left today')
  const requests = requestLog(page, 'images.generate')
  await form.generate.click()
  await expectAlert(visitor, limitMessage)
  await form.failure.getByText(limitMessage, { exact: true }).waitFor()
  expect(requests).toEqual([])
  expect(await form.share.isEnabled()).toBe(true)
  await form.share.click()
  await page.waitForURL('/')
})

test('alerts the server’s error if the count of the tab is outdated', async () => {
  const asha = await signUp(site.url)
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await visitor.page.getByText('Generated today: 0', { exact: true }).waitFor()
  await asha.generate('Made elsewhere')
  await form.prompt.fill('A lotus')
  await form.generate.click()
  await expectAlert(visitor, limitMessage)
  await form.failure.getByText(limitMessage, { exact: true }).waitFor()
  await visitor.page.getByText('Generated today: 1', { exact: true }).waitFor()
})
