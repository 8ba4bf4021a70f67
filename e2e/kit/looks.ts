import type { Locator } from 'playwright-core'

/** How much of an element is seen: its own opacity times that of everything around it. */
export function opacityOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    let opacity = 1
    for (let one: Element | null = element; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity)
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
