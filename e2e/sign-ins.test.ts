import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
import { formOn, generate } from './support/form.ts'
import type { TestUser } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { signInWays } from './support/sign-in-ways.ts'

const headerOf = (page: Page) => page.getByRole('banner')
const signInButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })
const chip = (page: Page, firstName: string) => headerOf(page).getByRole('button', { name: firstName })
const firstPost = (page: Page) => page.getByRole('listitem').first()

async function signOut(page: Page, firstName: string): Promise<void> {
  await chip(page, firstName).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
}

/** Counts posts with a prompt. */
async function postsOf(user: TestUser, prompt: string): Promise<number> {
  return (await user.trpc.posts.list.query({ search: prompt })).total
}

describe.each(signInWays)('with $name', ({ useWay }) => {
  const way = useWay()

  test('signs in after a wrong password, shares a post, and signs out in every tab', async () => {
    const asha = await way.newUser('Asha Rao')
    const visitor = await way.site.visit('/create-post')
    const { page } = visitor
    await page
      .getByRole('main')
      .getByText(/you need to be signed in/)
      .waitFor()
    expect(await formOn(page).prompt.count()).toBe(0)

    await signInButton(page).click()
    await way.signIn(page, asha, 'not the password')
    await way.readError(page)
    await expectPageErrors(visitor, way.expectedConsoleError)
    await way.tryAgain(page)
    await chip(page, 'Asha').waitFor()
    await eventually(() => page.getByRole('dialog').count()).toBe(0)
    await eventually(() => focused(page)).not.toBe(null)
    expect(page.url()).toBe(`${way.site.url}/create-post`)
    expect(await chip(page, 'Asha').locator('img').count()).toBe(way.hasAvatars ? 1 : 0)

    await page.reload()
    await generate(page, 'A first boat')
    await formOn(page).share.click()
    await page.waitForURL('/')
    await firstPost(page).getByRole('link', { name: 'A first boat', exact: true }).waitFor()
    expect(await firstPost(page).getByText('Asha', { exact: true }).count()).toBe(1)

    const other = await visitor.openTab('/create-post')
    await formOn(other.page).prompt.waitFor()
    await page.bringToFront()
    await signOut(page, 'Asha')
    await headerOf(page).getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    expect(page.url()).toBe(`${way.site.url}/`)
    await eventually(() => focused(page)).not.toBe(null)
    await other.page.bringToFront()
    await signInButton(other.page).waitFor()
    expect(await formOn(other.page).prompt.count()).toBe(0)
    await page.reload()
    await headerOf(page).getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  })

  test('signs up a new user', async () => {
    const visitor = await way.site.visit('/create-post')
    const { page } = visitor
    // Clerk looks up the email first.
    visitor.expectedErrors.push(/status of 422/)
    await headerOf(page).getByRole('button', { name: 'Sign In', exact: true }).click()
    await way.signUp(page, { name: 'Meera', email: 'meera@example.org' })
    await chip(page, 'Meera').waitFor()
    await generate(page, 'A beginning')
    expect(page.url()).toBe(`${way.site.url}/create-post`)
    expect(await formOn(page).name.inputValue()).toBe('Meera')
  })

  test('a session that ends while the form is filled loses and duplicates nothing', async () => {
    const asha = await way.newUser('Asha Rao')
    const visitor = await way.site.visit('/create-post', { as: asha })
    const { page } = visitor
    const form = formOn(page)
    await generate(page, 'A boat')
    await form.name.fill('Asha of the lake')
    await form.prompt.fill('A boat that waits for its session')
    // Requests without the session fail: the share, and images of the user that load just then.
    visitor.expectedErrors.push(/status of 40[14]/)
    const goOn = await way.loseSession(asha, page)
    await form.share.click()
    goOn()
    await expectAlert(visitor, 'Please sign in first.')
    await signInButton(page).click()
    await way.signIn(page, asha)
    await eventually(() => page.getByRole('dialog').count()).toBe(0)
    await form.share.waitFor()
    expect(await form.name.inputValue()).toBe('Asha of the lake')
    expect(await form.prompt.inputValue()).toBe('A boat that waits for its session')
    expect(await form.image.getAttribute('alt')).toBe('A boat')
    await form.share.click()
    await page.waitForURL('/')
    await firstPost(page)
      .getByRole('link', { name: 'A boat that waits for its session', exact: true })
      .waitFor()
    expect(await postsOf(asha, 'waits for its session')).toBe(1)
  })

  test('the next user of the same browser sees nothing of the previous one', async () => {
    const asha = await way.newUser('Asha Rao')
    const ravi = await way.newUser('Ravi Kumar')
    const visitor = await way.site.visit('/create-post', { as: asha })
    const { page } = visitor
    // The image is for its owner: it may be loaded after the session has ended.
    visitor.expectedErrors.push(/status of 404/)
    const form = formOn(page)
    await generate(page, 'A secret boat')
    const images = page.getByRole('main').getByRole('region', { name: 'Your images' })
    await images.getByText('A secret boat').waitFor()
    await signOut(page, 'Asha')
    await signInButton(page).click()
    await way.signIn(page, ravi)
    await chip(page, 'Ravi').waitFor()
    await form.prompt.waitFor()
    expect(await form.prompt.inputValue()).toBe('')
    expect(await form.name.inputValue()).toBe('Ravi')
    await page.getByText('Generated today: 0', { exact: true }).waitFor()
    expect(await page.getByText('A secret boat').count()).toBe(0)
    expect(await form.share.count()).toBe(0)
  })
})
