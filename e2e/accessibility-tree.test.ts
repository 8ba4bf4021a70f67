import type { Locator } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { expectToday, formOn } from './support/form.ts'
import { calls, holdBack } from './support/network.ts'
import { openDialog } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User
let ravi: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  ravi = await signUp(site.url, 'Ravi Kumar')
  await asha.share('A lotus at dawn')
  await ravi.share('Kites over Jaipur')
  await vi.waitFor(async () => expect((await ravi.trpc.posts.words.query()).words).toHaveLength(4), 45_000)
})

/** Expects an accessibility tree to be as recorded, so that a change of what screen readers say is seen in review. */
async function expectTree(part: Locator, name: string): Promise<void> {
  const tree = await part.ariaSnapshot()
  const stable = tree
    .replaceAll(/[\w-]{20,}/g, 'ID')
    .replace(/starts again at .*/, 'starts again at TIME')
    .replaceAll(/(timer?): .*/g, '$1')
  await expect(`${stable}\n`).toMatchFileSnapshot(`accessibility-trees/${name}.txt`)
}

test('the page of a post reads the prompt once', async () => {
  const [post] = (await ravi.trpc.posts.list.query({ search: 'Kites' })).posts
  const { page } = await site.visit(`/posts/${post?.id ?? ''}`, { as: asha })
  await page.getByRole('heading', { level: 1, name: 'Kites over Jaipur' }).waitFor()
  await page.getByRole('button', { name: 'More actions' }).first().waitFor()
  await expectTree(page.getByRole('main'), 'post')
})

test('the gallery lists posts under headings, reads each prompt once, and is hidden behind a post', async () => {
  const { page } = await site.visit('/', { as: asha })
  await page.getByRole('button', { name: 'Asha', exact: true }).waitFor()
  await expectTree(page.locator('body'), 'gallery')
  await page.getByRole('link', { name: 'Kites over Jaipur' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^Drawn from/).waitFor()
  await dialog.getByRole('heading', { name: 'More like this' }).waitFor()
  await expectTree(page.locator('body'), 'post-dialog')
})

test('the sign-in dialog hides the page', async () => {
  const { page } = await site.visit('/')
  await openDialog(page)
  await expectTree(page.locator('body'), 'sign-in-dialog')
})

test('the create form names its steps: empty, generating, and with an image', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  await expectToday(page, 1)
  await page.getByRole('region', { name: 'Your images' }).waitFor()
  // Browsers differ in whether they can ask for notifications; it is offered until the user has answered.
  await page.evaluate(() => localStorage.setItem('notificationsAnswered', 'yes'))
  await expectTree(page.getByRole('main'), 'create-empty')
  const release = await holdBack(page, calls.generate)
  const form = formOn(page)
  await form.prompt.fill('A boat at dusk')
  await form.generate.click()
  await form.spinner.waitFor()
  await expectTree(page.getByRole('main'), 'create-generating')
  release()
  await form.share.waitFor()
  await page.getByText('In progress…').waitFor({ state: 'detached' })
  // The feed and the quota are loaded again.
  await expectToday(page, 2)
  await page.getByRole('region', { name: 'Your images' }).getByText('A boat at dusk').waitFor()
  await expectTree(page.getByRole('main'), 'create-image')
})
