import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { takeOn, looks } from './looks.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What axe finds wrong with a page, a line for each element; it waits until nothing moves any more. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    return Promise.allSettled(passing.map((one) => one.finished)).then(() => null)
  })
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) await page.evaluate(source)
  const violations = await page.evaluate(async (values) => {
    const axe = Reflect.get(window, 'axe') as { run(options: object): Promise<{ violations: Violation[] }> }
    return (await axe.run({ runOnly: { type: 'tag', values } })).violations
  }, tags)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`),
  )
}

/** Expects that axe finds nothing wrong with a page as it stands, in whatever look. */
export async function expectNoViolations(page: Page): Promise<void> {
  for (const look of looks) {
    await takeOn(page, look)
    expect({ look: look.name, violations: await findViolations(page) }).toEqual({
      look: look.name,
      violations: [],
    })
  }
}
