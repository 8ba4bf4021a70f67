import { afterAll, expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { startProvider } from './support/provider.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const provider = await startProvider()
const site = useSite({ ...provider.env, DAILY_IMAGE_LIMIT: '100' })
afterAll(provider.stop)

/** Signs up a user with a shared image of each prompt. */
async function signUpWith(prompts: readonly string[]): Promise<User> {
  const asha = await signUp(site.url, 'Asha Rao')
  provider.finishesAtOnce = true
  for (const prompt of prompts) {
    const { id: imageId } = await asha.generate(prompt)
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })
  }
  return asha
}

async function open(user: User, path = '/your-images') {
  const { page } = await site.visit(path, { as: user })
  const main = page.getByRole('main')
  const items = main.getByRole('listitem')
  return {
    page,
    main,
    items,
    itemOf: (prompt: string) => items.filter({ hasText: prompt }),
    tab: (name: string) => main.getByRole('link', { name, exact: true }),
    button: (name: string) => main.getByRole('button', { name, exact: true }),
    dialog: page.getByRole('alertdialog'),
    undo: page.getByRole('button', { name: 'Undo' }),
    says: (text: string) => page.getByRole('status').getByText(text).first().waitFor(),
  }
}

const sharedBy = async (user: User, search: string) => (await user.trpc.posts.list.query({ search })).posts

test('deletes an image, and undoes it with its post', async () => {
  const asha = await signUpWith(['A lotus to undo'])
  const [post] = await sharedBy(asha, 'A lotus to undo')
  const { itemOf, items, dialog, undo, says } = await open(asha)
  await itemOf('A lotus to undo').getByRole('button', { name: 'Delete image' }).click()
  await dialog.getByText('others no longer see its post. You can restore it for 30 days').waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await says('The image is in the trash.')
  await eventually(() => items.count()).toBe(0)
  expect(await sharedBy(asha, 'A lotus to undo')).toEqual([])
  await undo.click()
  await says('The image is restored.')
  await itemOf('A lotus to undo').getByRole('link', { name: 'Shared: view the post' }).waitFor()
  expect(await sharedBy(asha, 'A lotus to undo')).toEqual([post])
})

test('undoes the deletion of several images', async () => {
  const prompts = Array.from({ length: 7 }, (_, index) => `Heron ${index + 1} of seven`)
  const { page, main, items, button, dialog, undo, says } = await open(await signUpWith(prompts))
  await eventually(() => items.count()).toBe(7)
  await button('Select').click()
  await button('Select all 7').click()
  await main.getByRole('group', { name: 'Selected images' }).getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await says('7 images are in the trash.')
  await undo.click()
  await says('7 images are restored.')
  await eventually(() => items.count()).toBe(7)
  await page.reload()
  await eventually(() => items.count()).toBe(7)
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
  await expectNoViolations(page)

  await itemOf('A lotus to bring back').getByRole('button', { name: 'Restore' }).click()
  await says('The image is restored.')
  await eventually(() => items.count()).toBe(2)
  await eventually(() => page.evaluate(() => document.activeElement?.closest('main li') !== null)).toBe(true)
  expect(await sharedBy(asha, 'A lotus to bring back')).toHaveLength(1)

  await itemOf('A kite to let go').getByRole('button', { name: 'Delete permanently' }).click()
  await dialog.getByText('with 1 post and their likes').waitFor()
  await expectNoViolations(page)
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
