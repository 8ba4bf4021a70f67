import type { Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { password, userWith } from '../user.ts'
import type { TestUser } from '../user.ts'
import { useSite } from '../site.ts'
import { makeClerk } from './fake-clerk.ts'

let users = 0

/** Like `useSite`, with a Clerk instance that is reset after each test. */
export function useClerkSite() {
  const clerk = makeClerk()
  const site = useSite({}, clerk)

  afterEach(() => {
    for (const gate of [clerk.scripts, clerk.api]) gate.become('answers')
    expect(clerk.unknown).toEqual([])
  })

  return {
    site,
    clerk,
    /** Creates a user with a Clerk account. */
    newUser(name = 'Asha Rao'): TestUser {
      users += 1
      const [firstName = '', lastName = ''] = name.split(' ')
      const email = `user-${users}@example.org`
      const account = clerk.add({ email, password, firstName, lastName })
      const headers = () => ({ authorization: `Bearer ${clerk.mintFor(account, site.url)}` })
      return {
        ...userWith({ name, email, url: site.url, headers }),
        enter: async (context) => clerk.signIn(context, account),
      }
    },
  }
}

/** Elements of Clerk's sign-in dialog. */
export function clerkDialogOn(page: Page) {
  const dialog = page.getByRole('dialog')
  return {
    dialog,
    firstName: dialog.getByLabel('First name'),
    email: dialog.getByLabel('Email address'),
    password: dialog.getByLabel('Password', { exact: true }),
    /** Continues to the next step. */
    next: dialog.getByRole('button', { name: 'Continue', exact: true }),
    failure: dialog.getByTestId('form-feedback-error'),
  }
}
