import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** All appearances of the site: a chosen theme, or the system's color scheme or forced colors without one. */
const themes = [
  { name: 'light', theme: null, colorScheme: 'light' },
  { name: 'automatic dark', theme: null, colorScheme: 'dark' },
  { name: 'soft-dark', theme: 'soft-dark', colorScheme: 'light' },
  { name: 'hc', theme: 'hc', colorScheme: 'light' },
  { name: 'forced colors', theme: null, colorScheme: 'dark', forcedColors: 'active' },
] as const

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Ends all finite animations and runs axe. Returns one line for each violating element. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    for (const animation of finite) animation.finish()
    return Promise.allSettled(finite.map((animation) => animation.finished)).then(() => null)
  })
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) await page.evaluate(source)
  const violations = await page.evaluate(async (values) => {
    const axe = Reflect.get(window, 'axe') as { run(options: object): Promise<{ violations: Violation[] }> }
    // Describing the elements that pass takes half of the time.
    const options = {
      runOnly: { type: 'tag', values },
      resultTypes: ['violations'],
      // Computed colors of text are those that the system replaces.
      rules: { 'color-contrast': { enabled: !matchMedia('(forced-colors: active)').matches } },
    }
    return (await axe.run(options)).violations
  }, tags)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`),
  )
}

/** Expects no axe violations in any theme. */
export async function expectNoViolations(page: Page): Promise<void> {
  for (const { name, theme, colorScheme, ...media } of themes) {
    await page.emulateMedia({ colorScheme, forcedColors: 'none', ...media })
    await page.evaluate((value) => {
      if (value) document.documentElement.dataset['theme'] = value
      else delete document.documentElement.dataset['theme']
    }, theme)
    expect({ theme: name, violations: await findViolations(page) }).toEqual({ theme: name, violations: [] })
  }
}
