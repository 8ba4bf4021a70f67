import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountOn, deletionOn } from './support/account.ts'
import { expectNoViolations, findViolations } from './support/axe.ts'
import { eventually, expectAlert, expectPageErrors } from './support/browser.ts'
import { formOn, generate } from './support/form.ts'
import { calls, holdBack } from './support/network.ts'
import { chooseInMenu, menuItemOf, opacityOf, openDialog, outlineOf } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite({ DAILY_IMAGE_LIMIT: '1000' })
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('A lotus at dawn')
  await asha.share('दीपावली की रात', 'हेमंत कुमार')
  await asha.share(`Kites over Jaipur, ${'and one more, '.repeat(100)}`)
})

describe('axe finds no violations in any theme of', () => {
  test('the gallery: hovered, and with an open menu', async () => {
    const { page } = await site.visit('/', { as: asha })
    const first = page.getByRole('listitem').first()
    await first.hover()
    await eventually(() => opacityOf(first.getByText('Asha Rao'))).toBe(1)
    await menuItemOf(first, 'Remix')
    await expectNoViolations(page)
  })

  test('a search: loading, without results and with an error', async () => {
    const visitor = await site.visit('/')
    const { page } = visitor
    const release = await holdBack(page, calls.list)
    await page.getByLabel('Search Posts').fill('nowhere')
    await page.getByText('Loading…', { exact: true }).waitFor()
    expect(await findViolations(page)).toEqual([])
    release()
    await page.getByRole('heading', { name: 'No Search Results Found' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.route(calls.list, (route) => route.abort())
    await page.getByLabel('Search Posts').fill('lotus')
    await expectAlert(visitor, /\w/)
    await expectPageErrors(visitor, /net::ERR_FAILED/)
    expect(await findViolations(page)).toEqual([])
    const failure = page.getByRole('alert').filter({ hasText: /\w/ })
    expect(await page.getByText(/^Showing/).count()).toBe(0)
    await page.unroute(calls.list)
    await failure.getByRole('button').click()
    await page.getByText(/^Showing \d posts?$/).waitFor()
    await eventually(() => failure.count()).toBe(0)
  })

  test('the sign-in dialog: sign-in, sign-up and validation errors', async () => {
    const { page } = await site.visit('/create-post')
    const parts = await openDialog(page)
    await parts.toSignUp.click()
    await parts.signUp.click()
    await parts.dialog.getByText('Enter your email.').waitFor()
    await expectNoViolations(page, '[role=dialog]')
  })

  test('the create form: empty, generating, with an error and with an image', async () => {
    const visitor = await site.visit('/create-post', { as: asha })
    const { page } = visitor
    const form = formOn(page)
    await form.generate.click()
    await expectAlert(visitor, 'Please provide a prompt')
    expect(await findViolations(page)).toEqual([])
    const release = await holdBack(page, calls.generate)
    await form.prompt.fill('A lotus')
    await form.generate.click()
    await form.spinner.waitFor()
    await expectNoViolations(page, 'main')
    release()
    await form.share.waitFor()
    await generate(page, 'A lotus')
    await form.prompt.fill('Another lotus')
    await expectNoViolations(page, 'main')
  })

  test('the confirmation of a deletion', async () => {
    const { page } = await site.visit('/', { as: asha })
    await chooseInMenu(page.getByRole('listitem').first(), 'Delete post')
    await page.getByRole('alertdialog').waitFor()
    await expectNoViolations(page, '[role=alertdialog]')
  })

  test('the account page with a new API key, an error and the dialog that deletes the account, on a phone', async () => {
    const { page } = await site.visit('/account', { as: asha, viewport: { width: 360, height: 800 } })
    const account = accountOn(page)
    await account.changePassword.click()
    await account.secret.getByText('Choose a password.').waitFor()
    await account.apiKeyName.fill('A robot')
    await account.createApiKey.click()
    await account.newApiKey.waitFor()
    await expectNoViolations(page, 'main')
    await account.openDeletion.click()
    const deletion = deletionOn(page)
    await deletion.confirm.click()
    await deletion.dialog.getByText('Enter your password.').waitFor()
    await expectNoViolations(page, '[role=dialog]')
  })
})

/** Elements with an animation or a transition of more than a millisecond. */
function animatedElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isLong = (times: string) =>
      times.split(',').some((time) => Number.parseFloat(time) > (time.includes('ms') ? 1 : 0.001))
    return [...document.querySelectorAll('*')].flatMap((element) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
      const moves = (animationName !== 'none' && isLong(animationDuration)) || isLong(transitionDuration)
      return moves ? [element.outerHTML.slice(0, 100)] : []
    })
  })
}

test('nothing moves with reduced motion: the gallery, the sign-in dialog, and an image being generated', async () => {
  const { page } = await site.visit('/')
  expect(await animatedElements(page)).toEqual([])
  await openDialog(page)
  expect(await animatedElements(page)).toEqual([])
  const creating = (await site.visit('/create-post', { as: asha })).page
  const release = await holdBack(creating, calls.generate)
  await formOn(creating).prompt.fill('A lotus')
  await formOn(creating).generate.click()
  await formOn(creating).spinner.waitFor()
  expect(await animatedElements(creating)).toEqual([])
  release()
  await formOn(creating).share.waitFor()
})

test('shows the overlay on a solid background and a visible focus in forced colors', async () => {
  const { page } = await site.visit('/?q=dawn', { forcedColors: 'active' })
  await page.getByLabel('Search Posts').focus()
  expect((await outlineOf(page.getByLabel('Search Posts'))).width).toBeGreaterThanOrEqual(2)
  const link = page.getByRole('link', { name: 'A lotus at dawn' })
  await link.focus()
  expect(await outlineOf(link)).toMatchObject({ style: expect.not.stringMatching('none') as string })
  const prompt = page.getByText('A lotus at dawn', { exact: true })
  await eventually(() => opacityOf(prompt)).toBe(1)
  const background = await prompt.evaluate((element) => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(one)
      if (!/^rgba\(.*, 0\)$/.test(backgroundColor)) return { backgroundColor, backgroundImage }
    }
    return null
  })
  expect(background?.backgroundImage).toBe('none')
  expect(background?.backgroundColor).toMatch(/^rgb\(/)
})
