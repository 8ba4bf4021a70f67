import type { Locator, Page } from 'playwright-core'

/** Locators of the form at /create-post. */
export function formOn(page: Page) {
  const main = page.getByRole('main')
  return {
    name: main.getByLabel('Your Name', { exact: true }),
    prompt: main.getByLabel('Prompt', { exact: true }),
    surprise: main.getByRole('button', { name: 'Surprise me ⇒ Go', exact: true }),
    generate: main.getByRole('button', { name: 'Generate', exact: true }),
    generating: main.getByRole('button', { name: 'Generating…', exact: true }),
    share: main.getByRole('button', { name: 'Share with the Community', exact: true }),
    sharing: main.getByRole('button', { name: 'Sharing…', exact: true }),
    spinner: main.getByRole('progressbar'),
    image: main.getByRole('img'),
    /** The error message in the form. */
    failure: main.getByRole('alert').filter({ hasText: /\w/ }),
  }
}

/** Generates an image in the form and waits for it. */
export async function generate(page: Page, prompt: string): Promise<void> {
  const form = formOn(page)
  await form.prompt.fill(prompt)
  await form.generate.click()
  await imageReady(form)
}

/**
 * Waits until an image can be shared. The page itself looks for the button, as a locator would look twice a second only, while
 * most images take a third of a second.
 */
export async function imageReady({ share }: { readonly share: Locator }): Promise<void> {
  await share
    .page()
    .waitForFunction(() => document.getElementById('share')?.checkVisibility(), null, { polling: 50 })
  await share.waitFor()
}

/** Returns the count of images in the browser's storage. */
export function imageCount(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('imageCount'))
}
