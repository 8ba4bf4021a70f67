import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/browser.ts'
import { formOn, imageReady } from './support/form.ts'
import { focused } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

test('a style and the choices of a prompt make an image each, which the form and its post show as typed', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
  const row = page.getByRole('radiogroup', { name: 'Style', exact: true })
  const chosen = () => row.locator('label:has(:checked)').textContent()
  await row.getByRole('radio', { name: 'Warli' }).waitFor()
  expect(await row.getByRole('radio').count()).toBe(13)
  expect(await chosen()).toBe('None')
  await row.getByRole('radio', { name: 'None' }).focus()
  await page.keyboard.press('ArrowLeft')
  expect(await chosen()).toBe('Woodcut')
  await eventually(() =>
    row.getByRole('radio', { name: 'Woodcut' }).evaluate((radio) => {
      const { left, right } = radio.getBoundingClientRect()
      const edges = radio.closest('fieldset')?.getBoundingClientRect()
      return edges !== undefined && left >= edges.left - 4 && right <= edges.right + 4
    }),
  ).toBe(true)
  await row.getByRole('radio', { name: 'Kolam' }).check({ force: true })

  await form.prompt.fill('{red|blue|green} fox')
  await page.getByText(/^3 images: .*red fox.*, .*blue fox.*, .*green fox/).waitFor()
  await form.generate.click()
  await imageReady(form)
  const { images } = await asha.trpc.images.list.query()
  expect(images.map(({ prompt }) => prompt)).toEqual(['green fox', 'blue fox', 'red fox'])
  for (const { recipe } of images) expect(recipe?.style).toMatchObject({ id: 'kolam' })
  await page.reload()
  await row.getByRole('radio', { name: 'Kolam' }).waitFor()
  await eventually(chosen).toBe('Kolam')

  // The same settings come back from a recipe, also when the form has another style.
  await row.getByRole('radio', { name: 'None' }).check({ force: true })
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Use these settings' }).click()
  await eventually(chosen).toBe('Kolam')
  expect(await form.prompt.inputValue()).toBe('red fox')

  const post = await asha.trpc.posts.create.mutate({
    name: 'Asha',
    prompt: 'red fox',
    imageId: images.at(-1)?.id ?? '',
  })
  await page.goto(`${site.url}/posts/${post.id}`)
  await page.getByRole('heading', { name: 'red fox' }).waitFor()
  await page.getByText('Kolam', { exact: true }).waitFor({ state: 'attached' })
})

test('a user saves, edits and deletes a style, and walks through earlier prompts', async () => {
  await asha.generate('a lamp at dawn')
  await asha.generate('a lamp at dusk')
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
  const row = page.getByRole('radiogroup', { name: 'Style', exact: true })
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await form.prompt.press('ArrowUp')
  await eventually(() => form.prompt.inputValue()).toBe('a lamp at dusk')
  await page.keyboard.press('ArrowUp')
  await eventually(() => form.prompt.inputValue()).toBe('a lamp at dawn')
  await page.keyboard.press('ArrowDown')
  await eventually(() => form.prompt.inputValue()).toBe('a lamp at dusk')
  await page.keyboard.press('ArrowDown')
  await eventually(() => form.prompt.inputValue()).toBe('')
  await form.prompt.fill('at dusk')
  await form.prompt.press('Home')
  await page.keyboard.press('ArrowUp')
  await eventually(() => form.prompt.inputValue()).toBe('a lamp at dusk')
  await page.keyboard.press('ArrowDown')
  await eventually(() => form.prompt.inputValue()).toBe('at dusk')
  await form.prompt.fill('lotus border')

  await choose('Save as style')
  const dialog = page.getByRole('dialog')
  const template = dialog.getByLabel('Template')
  expect(await template.inputValue()).toBe('{prompt}, lotus border')
  await dialog.getByLabel('Name', { exact: true }).fill('Lotuses')
  await template.fill('lotus border')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('The template must contain {prompt} exactly once.').waitFor()
  await template.fill('{prompt}, lotus border')
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await row.getByRole('radio', { name: 'Lotuses' }).check({ force: true })
  // The form of the dialog is not the one around it.
  expect(await form.spinner.count()).toBe(0)

  await choose('Edit Lotuses')
  await dialog.getByLabel('Name', { exact: true }).fill('Ponds')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await eventually(() => row.locator('label:has(:checked)').textContent()).toBe('Ponds')
  await choose('Delete Ponds')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await eventually(() => row.locator('label:has(:checked)').textContent()).toBe('None')
  expect(await row.getByRole('radio', { name: 'Ponds' }).count()).toBe(0)
  await eventually(() => focused(page)).toBe('More actions')
})
