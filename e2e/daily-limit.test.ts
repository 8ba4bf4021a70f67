import { expect, test } from 'vitest'
import { eventually, expectAlert } from './support/expectations.ts'
import { formOn, generate, imageCount } from './support/form.ts'
import { requestLog } from './support/network.ts'
import { signUp } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite({ DAILY_IMAGE_LIMIT: '1' })
const sentence = 'You have reached your daily image limit.'

test('after the last image of the day Generate alerts, and asks nothing of the server', async () => {
  const visitor = await site.visit('/create-post', { as: await signUp(site.url) })
  const { page } = visitor
  const form = formOn(page)
  await generate(page, 'A lotus')
  await page.getByText('Generated today: 1', { exact: true }).waitFor()
  await eventually(() => imageCount(page)).toBe('1')
  const asked = requestLog(page, 'images.generate')
  await form.generate.click()
  await expectAlert(visitor, sentence)
  await form.failure.getByText(sentence, { exact: true }).waitFor()
  expect(asked).toEqual([])
  expect(await form.share.isEnabled()).toBe(true)
  await form.share.click()
  await page.waitForURL('/')
})

test('a tab that does not know of the last image yet hears it from the server', async () => {
  const asha = await signUp(site.url)
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await visitor.page.getByText('Generated today: 0', { exact: true }).waitFor()
  await asha.generate('Made elsewhere')
  await form.prompt.fill('A lotus')
  await form.generate.click()
  await expectAlert(visitor, sentence)
  await form.failure.getByText(sentence, { exact: true }).waitFor()
  await visitor.page.getByText('Generated today: 1', { exact: true }).waitFor()
})

test('the count of the browser is mended by the one of the server', async () => {
  const visitor = await site.visit('/', { as: await signUp(site.url) })
  await visitor.page.evaluate(() => localStorage.setItem('imageCount', '20'))
  await visitor.page.goto('/create-post')
  await visitor.page.getByText('Generated today: 0', { exact: true }).waitFor()
  await eventually(() => imageCount(visitor.page)).toBe('0')
  await generate(visitor.page, 'A lotus')
})

test('somebody else in the same browser has a count of their own', async () => {
  const asha = await signUp(site.url, 'Asha')
  const ravi = await signUp(site.url, 'Ravi')
  await asha.generate('A lotus')
  const visitor = await site.visit('/create-post', { as: asha })
  await visitor.page.getByText('Generated today: 1', { exact: true }).waitFor()
  await visitor.context.addCookies([{ ...ravi.cookie, url: site.url }])
  await visitor.page.reload()
  await visitor.page.getByText('Generated today: 0', { exact: true }).waitFor()
  expect(await formOn(visitor.page).name.inputValue()).toBe('Ravi')
  await eventually(() => imageCount(visitor.page)).toBe('0')
})
