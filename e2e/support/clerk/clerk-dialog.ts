import type { Page } from 'playwright-core'

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
    toSignUp: dialog.getByRole('link', { name: 'Sign up' }),
    failure: dialog.getByTestId('form-feedback-error'),
  }
}
