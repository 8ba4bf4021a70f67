import { expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { formOn, imageReady } from './support/form.ts'
import { password, signUp } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()

test('fills the form from a post, and the shared image names it as its parent', async () => {
  const parent = await (await signUp(site.url, 'Ravi Kumar')).share('A fox in the snow')
  const asha = await signUp(site.url)
  const { page } = await site.visit(`/create-post?remix=${parent.id}`, { as: asha })
  const form = formOn(page)
  await page.getByText('by Ravi Kumar').filter({ hasText: 'Remix of “A fox in the snow”' }).waitFor()
  expect(await form.prompt.inputValue()).toBe('A fox in the snow')
  await page.waitForURL('/create-post')
  await form.prompt.fill('A fox in the snow at dusk')
  await form.prompt.press('Control+Enter')
  await form.share.click()
  await page.waitForURL('/')
  await page.getByRole('link', { name: 'View post', exact: true }).click()
  await page.waitForURL('/posts/*')
  const post = await asha.trpc.posts.get.query({ id: page.url().split('/').at(-1) ?? '' })
  expect(post).toMatchObject({ prompt: 'A fox in the snow at dusk', parent: parent.id })
  await page.goto('/create-post')
  await form.prompt.waitFor()
  expect(await page.getByText('Remix of').count()).toBe(0)
})

test('a visitor remixes a post after signing in', async () => {
  const parent = await (await signUp(site.url, 'Ravi Kumar')).share('Kites over the roofs')
  const asha = await signUp(site.url)
  const { page } = await site.visit(`/create-post?remix=${parent.id}`)
  const words = page.getByLabel('What should the image show?')
  await eventually(() => words.inputValue()).toBe('Kites over the roofs')
  await words.fill('Red kites over the roofs')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign in instead' }).click()
  await dialog.getByLabel('Email').fill(asha.email)
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await imageReady(formOn(page))
  const [image] = (await asha.trpc.images.list.query()).images
  expect(image).toMatchObject({ prompt: 'Red kites over the roofs', recipe: { remixOf: parent.id } })
})

test('says that the post to remix is gone', async () => {
  const { page } = await site.visit('/create-post?remix=gone', { as: await signUp(site.url) })
  await formOn(page).failure.getByText('no longer there').waitFor()
})

test('shares for people with the link only, without the prompt', async () => {
  const asha = await signUp(site.url)
  const { page } = await site.visit('/create-post', { as: asha })
  await formOn(page).prompt.fill('A quiet pond')
  await formOn(page).generate.click()
  await imageReady(formOn(page))
  await page.getByText('Sharing options', { exact: true }).click()
  await page.getByRole('radio', { name: /^Unlisted/ }).check()
  await page.getByLabel('Hide the prompt from others').check()
  await formOn(page).share.click()
  await page.waitForURL('/posts/*')
  const post = await asha.trpc.posts.get.query({ id: page.url().split('/').at(-1) ?? '' })
  expect(post).toMatchObject({ visibility: 'unlisted', isPromptHidden: true })
  expect((await asha.trpc.posts.list.query({ search: 'quiet pond' })).total).toBe(0)
})
