import { expect, test } from 'vitest'
import { openDialog } from './support/sign-in-dialog.ts'
import { signUp } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite({ SIGN_UP: 'closed' })

test('closed sign-up is not offered by the dialog, and rejected by the server', async () => {
  const { page } = await site.visit('/')
  const parts = await openDialog(page)
  expect(await parts.toSignUp.count()).toBe(0)
  expect(await parts.name.count()).toBe(0)
  await expect(signUp(site.url)).rejects.toThrow('Sign-up failed: 4')
})
