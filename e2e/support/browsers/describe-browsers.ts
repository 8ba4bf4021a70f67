import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe } from 'vitest'
import { chromium } from './chromium.ts'
import { firefox } from './firefox.ts'
import { Screen } from './screen.ts'
import type { Tab } from './tab.ts'
import { webkit } from './webkit.ts'

/**
 * Defines tests for each browser. A browser that is not installed is skipped with a message, or fails with
 * RANGOLI_REQUIRE_SERVICES=1.
 *
 * @param define receives a function that opens a tab with an empty profile for the rest of a test
 */
export function describeBrowsers(define: (open: () => Promise<Screen>) => void): void {
  for (const browser of [chromium(), firefox(), webkit()]) {
    if (browser.missing.length > 0) {
      const reason = `The tests in ${browser.name} need ${browser.missing.join(', ')}; .ci/run installs what they need.`
      if (process.env['RANGOLI_REQUIRE_SERVICES'] === '1') throw new Error(reason)
      console.warn(`${reason} They are skipped.`)
    }
    describe.skipIf(browser.missing.length > 0)(`in ${browser.name}`, () => {
      const tabs: Tab[] = []
      afterEach(async ({ task }) => {
        for (const tab of tabs.splice(0)) {
          if (task.result?.state === 'fail') await saveScreen(tab, `${browser.name}-${task.id}`)
          await tab.close()
        }
      })
      afterAll(() => browser.stop())

      define(async () => {
        const tab = await browser.open()
        tabs.push(tab)
        return new Screen(tab)
      })
    })
  }
}

async function saveScreen(tab: Tab, name: string): Promise<void> {
  const file = path.join(tmpdir(), `rangoli-${name}.png`)
  await writeFile(file, await tab.screenshot())
  console.warn(`The last screen of the failed test: ${file}`)
}
