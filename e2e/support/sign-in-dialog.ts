import type { Page } from 'playwright-core'

/** Elements of the sign-in dialog. */
export function dialogOn(page: Page) {
  const dialog = page.getByRole('dialog')
  return {
    dialog,
    name: dialog.getByLabel('Name', { exact: true }),
    email: dialog.getByLabel('Email', { exact: true }),
    password: dialog.getByLabel('Password', { exact: true }),
    signIn: dialog.getByRole('button', { name: 'Sign in', exact: true }),
    signUp: dialog.getByRole('button', { name: 'Sign up', exact: true }),
    toSignUp: dialog.getByRole('button', { name: 'Create an account' }),
    toSignIn: dialog.getByRole('button', { name: 'Sign in instead' }),
    failure: dialog.getByRole('alert').filter({ hasText: /\w/ }),
  }
}

/** Opens the dialog with the button of the header. */
export async function openDialog(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).click()
  const parts = dialogOn(page)
  await parts.email.waitFor()
  return parts
}

/** Returns the label or text of the focused element; null if none is focused. */
export function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return null
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
    const label = isField ? element.labels?.[0]?.textContent : undefined
    return label ?? element.getAttribute('aria-label') ?? element.textContent
  })
}
