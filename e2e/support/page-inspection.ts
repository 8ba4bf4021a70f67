import type { Locator, Page } from 'playwright-core'

/** Effective opacity of an element: its own multiplied by that of all ancestors. */
export function opacityOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    let opacity = 1
    for (let one: Element | null = element; one; one = one.parentElement)
      opacity *= Number(getComputedStyle(one).opacity)
    return opacity
  })
}

/** Width and style of an element's outline. */
export function outlineOf(locator: Locator): Promise<{ width: number; style: string }> {
  return locator.evaluate((element) => {
    const { outlineWidth, outlineStyle } = getComputedStyle(element)
    return { width: Number.parseFloat(outlineWidth), style: outlineStyle }
  })
}

/** Cumulative layout shift since the navigation. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 100))
      }),
  )
}
