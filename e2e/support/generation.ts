import type { Page } from 'playwright-core'
import { formOn } from './form.ts'

/** What /create-post shows of an image in the making, and of those made before. */
export function generationOn(page: Page) {
  const main = page.getByRole('main')
  const images = main.getByRole('region', { name: 'Your images' })
  return {
    ...formOn(page),
    /** The image as far as it can be seen. */
    partial: main.getByRole('img', { name: /^Unfinished: / }),
    cancel: main.getByRole('button', { name: 'Cancel', exact: true }),
    timer: main.getByRole('timer'),
    images,
    imageOf: (prompt: string) => images.getByRole('listitem').filter({ hasText: prompt }),
    /** What was last said to those who can't see it. */
    said: page.getByRole('status'),
  }
}

/** Starts an image, and leaves it in the making. */
export async function press(page: Page, prompt: string): Promise<void> {
  const form = formOn(page)
  await form.prompt.fill(prompt)
  await form.generate.click()
  await form.spinner.waitFor()
}

/** Waits until the page says how many images were made today. */
export async function expectToday(page: Page, count: number): Promise<void> {
  await page.getByText(`Generated today: ${count}`, { exact: true }).waitFor()
}

/** An image as a data URL, as previews are shown. */
export function dataUrl(bytes: Uint8Array): string {
  return `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`
}
