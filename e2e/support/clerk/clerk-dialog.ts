import type { Page } from 'playwright-core'

/** The parts of Clerk's dialog in which one signs in or up. */
export function clerkDialogOn(page: Page) {
  const dialog = page.getByRole('dialog')
  return {
    dialog,
    firstName: dialog.getByLabel('First name'),
    email: dialog.getByLabel('Email address'),
    password: dialog.getByLabel('Password', { exact: true }),
    /** Goes on to the next step, and to the end. */
    next: dialog.getByRole('button', { name: 'Continue', exact: true }),
    toSignUp: dialog.getByRole('link', { name: 'Sign up' }),
    failure: dialog.getByTestId('form-feedback-error'),
  }
}
