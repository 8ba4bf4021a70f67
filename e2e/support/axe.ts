import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules whose result depends on colors, as nothing else does in a theme. */
const colorRules = ['color-contrast', 'link-in-text-block']

/**
 * All appearances of the site: a chosen theme, or the system's color scheme or forced colors without one, and the rules to check
 * in it. With forced colors, computed colors of text are those that the system replaces.
 */
const themes = [
  { name: 'light', theme: null, colorScheme: 'light', rules: null },
  { name: 'automatic dark', theme: null, colorScheme: 'dark', rules: colorRules },
  { name: 'soft-dark', theme: 'soft-dark', colorScheme: 'light', rules: colorRules },
  { name: 'hc', theme: 'hc', colorScheme: 'light', rules: colorRules },
  {
    name: 'forced colors',
    theme: null,
    colorScheme: 'dark',
    forcedColors: 'active',
    rules: ['link-in-text-block'],
  },
] as const

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/**
 * Ends all finite animations, scrolls to the top, as what sticks there covers other controls, and runs axe, with all rules unless some are
 * given, on the whole page or `part` of it. Returns one line for each violating element.
 */
export async function findViolations(
  page: Page,
  rules: readonly string[] | null = null,
  part = 'html',
): Promise<string[]> {
  await page.evaluate(() => {
    window.scrollTo({ top: 0, behavior: 'instant' })
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    for (const animation of finite) animation.finish()
    return Promise.allSettled(finite.map((animation) => animation.finished)).then(() => null)
  })
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) await page.evaluate(source)
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags }
  const violations = await page.evaluate(
    async ([context, only]) => {
      const axe = Reflect.get(window, 'axe') as {
        run(context: string, options: object): Promise<{ violations: Violation[] }>
      }
      // Describing the elements that pass takes half of the time.
      const options = { runOnly: only, resultTypes: ['violations'] }
      return (await axe.run(context, options)).violations
    },
    [part, runOnly] as const,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`),
  )
}

/**
 * Expects no axe violations in any theme. Themes change colors only: all rules run on the whole page in the first theme, those of colors on
 * `part` of it in the others, which is what no earlier call has seen.
 */
export async function expectNoViolations(page: Page, part = 'html'): Promise<void> {
  for (const { name, theme, colorScheme, rules, ...media } of themes) {
    await page.emulateMedia({ colorScheme, forcedColors: 'none', ...media })
    await page.evaluate((value) => {
      if (value) document.documentElement.dataset['theme'] = value
      else delete document.documentElement.dataset['theme']
    }, theme)
    const violations = await findViolations(page, rules, rules ? part : 'html')
    expect({ theme: name, violations }).toEqual({ theme: name, violations: [] })
  }
}
