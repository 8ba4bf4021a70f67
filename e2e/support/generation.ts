import type { Page } from 'playwright-core'
import { formOn } from './form.ts'

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
