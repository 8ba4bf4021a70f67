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

/** Locators of /create-post for a running generation and the user's images. */
export function generationOn(page: Page) {
  const main = page.getByRole('main')
  const images = main.getByRole('region', { name: 'Your images' })
  return {
    ...formOn(page),
    /** The intermediate image. */
    partial: main.getByRole('img', { name: /^Unfinished: / }),
    cancel: main.getByRole('button', { name: 'Cancel', exact: true }),
    timer: main.getByRole('timer'),
    images,
    imageOf: (prompt: string) => images.getByRole('listitem').filter({ hasText: prompt }),
    /** The latest announcement for screen readers. */
    announcement: page.getByRole('status'),
  }
}

/** Starts a generation without waiting for its end. */
export async function startGeneration(page: Page, prompt: string): Promise<void> {
  const form = formOn(page)
  await form.prompt.fill(prompt)
  await form.generate.click()
  await form.spinner.waitFor()
}

/** Waits until the page shows this number of images generated today. */
export async function expectToday(page: Page, count: number): Promise<void> {
  await page.getByText(`Generated today: ${count}`, { exact: true }).waitFor()
}

/** Encodes an image as a data URL, like those of previews. */
export function dataUrl(bytes: Uint8Array): string {
  return `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`
}
