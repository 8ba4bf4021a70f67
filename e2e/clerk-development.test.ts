import { test } from 'vitest'
import { clerkDialogOn } from './support/clerk/clerk-dialog.ts'
import { useClerkSite } from './support/clerk/clerk-site.ts'
import { expectPageErrors } from './support/expectations.ts'
import { generate } from './support/form.ts'
import { password } from './support/user.ts'

const { site, newUser } = useClerkSite({}, 'development')

test('the keys of a development instance work too, with Clerk’s warning in the console', async () => {
  const asha = newUser('Asha Rao')
  const visitor = await site.visit('/create-post')
  const { page } = visitor
  await expectPageErrors(visitor, /development keys/)
  await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).click()
  const dialog = clerkDialogOn(page)
  await dialog.email.fill(asha.email)
  await dialog.next.click()
  await dialog.password.fill(password)
  await dialog.next.click()
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).waitFor()
  await page.reload()
  await generate(page, 'A boat on trial')
})
