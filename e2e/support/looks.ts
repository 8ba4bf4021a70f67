import type { Locator, Page } from 'playwright-core'

/** How much of an element is seen: its own opacity times that of everything around it. */
export function opacityOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    let opacity = 1
    for (let one: Element | null = element; one; one = one.parentElement)
      opacity *= Number(getComputedStyle(one).opacity)
    return opacity
  })
}

/** What an element's focus looks like: width and style of its outline. */
export function outlineOf(locator: Locator): Promise<{ width: number; style: string }> {
  return locator.evaluate((element) => {
    const { outlineWidth, outlineStyle } = getComputedStyle(element)
    return { width: Number.parseFloat(outlineWidth), style: outlineStyle }
  })
}
/** A look of the site: a theme that was chosen, or what the system prefers. */
interface Look {
  readonly name: string
  readonly theme: 'soft-dark' | 'hc' | null
  readonly colorScheme: 'light' | 'dark'
}

export const looks: readonly Look[] = [
  { name: 'light', theme: null, colorScheme: 'light' },
  { name: 'automatic dark', theme: null, colorScheme: 'dark' },
  { name: 'soft-dark', theme: 'soft-dark', colorScheme: 'light' },
  { name: 'hc', theme: 'hc', colorScheme: 'light' },
]

/** Gives a page another look, and leaves everything else in it as it is. */
export async function takeOn(page: Page, { theme, colorScheme }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate((value) => {
    if (value) document.documentElement.dataset['theme'] = value
    else delete document.documentElement.dataset['theme']
  }, theme)
}
