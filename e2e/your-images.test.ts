import { afterAll, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually } from './support/browser.ts'
import { startProvider } from './support/provider.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const provider = await startProvider()
const site = useSite({ ...provider.env, DAILY_IMAGE_LIMIT: '100' })
afterAll(provider.stop)
provider.finishesAtOnce = true

/** Signs up a user with a shared image of each prompt. */
async function signUpWith(prompts: readonly string[]): Promise<User> {
  const asha = await signUp(site.url, 'Asha Rao')
  for (const prompt of prompts) {
    const { id: imageId } = await asha.generate(prompt)
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })
  }
  return asha
}

async function open(user: User, path = '/your-images') {
  const { page } = await site.visit(path, { as: user })
  const main = page.getByRole('main')
  const items = main.locator('li[id^=image-]')
  return {
    page,
    main,
    items,
    itemOf: (prompt: string) => items.filter({ hasText: prompt }),
    bar: main.getByRole('group', { name: 'Selected images' }),
    tab: (name: string) => main.getByRole('link', { name, exact: true }),
    button: (name: string) => main.getByRole('button', { name, exact: true }),
    dialog: page.getByRole('alertdialog'),
    says: (text: string) => page.getByRole('status').getByText(text).first().waitFor(),
  }
}

const sharedBy = async (user: User, search: string) => (await user.trpc.posts.list.query({ search })).posts

test('opens from the account menu, lists images newest first by month, and searches them', async () => {
  const prompts = Array.from({ length: 12 }, (_, index) => `Image no. ${index + 1} of many`)
  const asha = await signUp(site.url, 'Asha Rao')
  for (const prompt of prompts) await asha.generate(prompt)
  const { page, main, items } = await open(asha, '/')
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).click()
  await page.getByRole('menuitem', { name: 'Your images' }).click()
  await page.waitForURL('/your-images')
  expect(await page.title()).toBe('Your images — Rangoli')
  await main.getByRole('status').getByText('12 images').waitFor()
  const thisMonth = new Date().toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  await main.getByRole('heading', { level: 2, name: thisMonth }).waitFor()
  await eventually(() => items.count()).toBe(12)
  const texts = await items.allTextContents()
  expect(texts).toEqual(texts.map((_, index) => expect.stringContaining(`Image no. ${12 - index} `)))

  await items.first().getByRole('button', { name: 'Open image' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Image no. 11 of many' })
  await dialog.getByText('2 of 12').waitFor()
  await page.keyboard.press('Escape')

  await main.getByRole('searchbox', { name: 'Search your images' }).fill('NO. 7')
  await page.waitForURL('/your-images?q=NO.+7')
  await main.getByRole('status').getByText('1 image', { exact: true }).waitFor()
  await main.getByRole('link', { name: 'Uploads' }).click()
  await main.getByText('No image of yours is like this.').waitFor()
  await main.getByRole('link', { name: 'Show all' }).click()
  await eventually(() => items.count()).toBe(12)
})

test('opens the whole image, moves to the next one by an arrow key, and returns the focus', async () => {
  const { page, itemOf } = await open(await signUpWith(['A lotus behind', 'A lotus in front']))
  await itemOf('A lotus in front').getByRole('button', { name: 'Open image' }).click()
  const dialog = page.getByRole('dialog', { name: 'A lotus in front' })
  const image = dialog.getByRole('img', { name: 'A lotus in front' })
  await eventually(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth > 0)).toBe(true)
  await dialog.getByText('1 of 2', { exact: true }).waitFor()
  await dialog.press('ArrowRight')
  await page.getByRole('dialog', { name: 'A lotus behind' }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
  const opener = itemOf('A lotus behind').getByRole('button', { name: 'Open image' })
  expect(await opener.evaluate((button) => document.activeElement === button)).toBe(true)
})

test('deletes a range of selected images with their posts', async () => {
  const asha = await signUpWith(['Number one', 'Number two', 'Number three', 'Number four'])
  const { page, items, itemOf, bar, button } = await open(asha)
  await button('Select').click()
  await itemOf('Number four').getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await itemOf('Number two')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await bar.getByText('3 selected').waitFor()
  await bar.getByRole('button', { name: 'Select all 4' }).click()
  await bar.getByText('4 selected').waitFor()
  await itemOf('Number one').getByRole('checkbox').click()
  expect(await findViolations(page)).toEqual([])
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete 3 images?' })
  await dialog.getByText('others no longer see their 3 posts.').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await eventually(() => items.allTextContents()).toEqual([expect.stringContaining('Number one')])
  await page.getByRole('status').getByText('3 images are in the trash.').waitFor()
  expect(await sharedBy(asha, 'Number two')).toEqual([])
})

test('deletes an image, and undoes it with its post', async () => {
  const asha = await signUpWith(['A lotus to undo'])
  const [post] = await sharedBy(asha, 'A lotus to undo')
  const { page, itemOf, items, dialog, says } = await open(asha)
  await itemOf('A lotus to undo').getByRole('button', { name: 'Delete image' }).click()
  await dialog.getByText('others no longer see its post. You can restore it for 30 days').waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await says('The image is in the trash.')
  await eventually(() => items.count()).toBe(0)
  expect(await sharedBy(asha, 'A lotus to undo')).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await says('The image is restored.')
  await itemOf('A lotus to undo').getByRole('link', { name: 'Shared: view the post' }).waitFor()
  expect(await sharedBy(asha, 'A lotus to undo')).toEqual([post])
})

test('restores and permanently deletes images in the trash', async () => {
  const asha = await signUpWith(['A lotus to bring back', 'A kite to let go', 'A boat to let go'])
  for (const { id } of (await asha.trpc.images.list.query()).images) {
    await asha.trpc.images.delete.mutate({ id })
  }
  const { page, main, items, itemOf, tab, button, dialog, says } = await open(asha)
  await main.getByText('You have not generated or uploaded an image yet.').waitFor()
  await tab('Trash').click()
  await page.waitForURL('/your-images?show=trash')
  await eventually(() => items.count()).toBe(3)
  await itemOf('A lotus to bring back').getByText('30 days left').waitFor()
  const image = itemOf('A lotus to bring back').getByRole('button', { name: 'Open image' }).locator('img')
  await eventually(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth > 0)).toBe(true)
  expect(await findViolations(page)).toEqual([])

  await itemOf('A lotus to bring back').getByRole('button', { name: 'Restore' }).click()
  await says('The image is restored.')
  await eventually(() => items.count()).toBe(2)
  await eventually(() => page.evaluate(() => document.activeElement?.closest('main li') !== null)).toBe(true)
  expect(await sharedBy(asha, 'A lotus to bring back')).toHaveLength(1)

  await itemOf('A kite to let go').getByRole('button', { name: 'Delete permanently' }).click()
  await dialog.getByText('with 1 post and their likes').waitFor()
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await says('The image is deleted permanently.')
  await eventually(() => items.count()).toBe(1)

  await button('Empty trash').click()
  await dialog.getByRole('button', { name: 'Empty trash' }).click()
  await says('1 image is deleted permanently.')
  await main.getByText('The trash is empty.').waitFor()
  await tab('All').click()
  await eventually(() => items.count()).toBe(1)
})
