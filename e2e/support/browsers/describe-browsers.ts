import { afterAll, afterEach, describe, onTestFailed } from 'vitest'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from './chromium.ts'
import { firefox } from './firefox.ts'
import { Screen } from './screen.ts'
import type { Tab } from './tab.ts'

/**
 * Defines tests for each browser. A browser that is not installed is skipped with a message, or fails with
 * RANGOLI_REQUIRE_SERVICES=1.
 *
 * @param define receives a function that opens a tab with an empty profile for the rest of a test
 */
export function describeBrowsers(define: (open: () => Promise<Screen>) => void): void {
  for (const browser of [chromium(), firefox()]) {
    if (browser.missing.length > 0) {
      const reason = `The tests in ${browser.name} need ${browser.missing.join(', ')}; .ci/run installs what they need.`
      if (process.env['RANGOLI_REQUIRE_SERVICES'] === '1') throw new Error(reason)
      console.warn(`${reason} They are skipped.`)
    }
    describe.skipIf(browser.missing.length > 0)(`in ${browser.name}`, () => {
      const tabs: Tab[] = []
      afterEach(async () => {
        await Promise.all(tabs.splice(0).map((tab) => tab.close()))
      })
      afterAll(() => browser.stop())

      define(async () => {
        const tab = await browser.open()
        tabs.push(tab)
        onTestFailed(async ({ task }) => {
          const file = path.join(tmpdir(), `rangoli-${browser.name}-${task.id}.png`)
          await writeFile(file, await tab.screenshot())
          console.warn(`"${task.name}" failed in ${browser.name}; its last screen is ${file}`)
        })
        return new Screen(tab)
      })
    })
  }
}
