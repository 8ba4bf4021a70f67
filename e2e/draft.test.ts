import { beforeAll, expect, test } from 'vitest'
import { eventually, expectAlert } from './support/expectations.ts'
import { formOn, generate, imageReady } from './support/form.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

test('keeps the draft and its image after a reload', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
  await form.name.fill('Asha of the hills')
  await generate(page, 'A cabin')
  await form.prompt.fill('A cabin in the snow')
  await page.reload()
  await imageReady(form)
  expect(await form.name.inputValue()).toBe('Asha of the hills')
  expect(await form.prompt.inputValue()).toBe('A cabin in the snow')
  expect(await form.image.getAttribute('alt')).toBe('A cabin')
  await form.share.click()
  await page.waitForURL('/')
})

test('hides the draft from another user', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  await formOn(visitor.page).prompt.fill('My secret thought')
  const ravi = await signUp(site.url, 'Ravi Kumar')
  await visitor.context.addCookies([{ ...ravi.cookie, url: site.url }])
  await visitor.page.reload()
  await eventually(() => formOn(visitor.page).name.inputValue()).toBe('Ravi')
  expect(await formOn(visitor.page).prompt.inputValue()).toBe('')
})

test('alerts “Image not found.” if the image of the draft was deleted', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await generate(visitor.page, 'A ghost')
  await visitor.page.evaluate(() => {
    const draft = JSON.parse(sessionStorage.getItem('draft') ?? '') as { image: { id: string } }
    draft.image.id = 'no-such-image'
    sessionStorage.setItem('draft', JSON.stringify(draft))
  })
  await visitor.page.reload()
  await form.share.click()
  await expectAlert(visitor, 'Image not found.')
  await form.failure.getByText('Image not found.', { exact: true }).waitFor()
})
