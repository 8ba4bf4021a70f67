import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sharedBrowser } from '../browser.ts'
import type { Tab, TestBrowser } from './tab.ts'

/** Chromium, driven by Playwright over the Chrome DevTools Protocol. */
export function chromium(): TestBrowser {
  return {
    name: 'Chromium',
    // The set-up of the tests finds it or ends them.
    missing: [],
    open: openTab,
    // Other tests use it too.
    stop: () => Promise.resolve(),
  }
}

async function openTab(): Promise<Tab> {
  const browser = await sharedBrowser()
  const folder = await mkdtemp(path.join(tmpdir(), 'rangoli-downloads-'))
  const context = await browser.newContext()
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      errors.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('download', (download) => {
    download.saveAs(path.join(folder, download.suggestedFilename())).catch((error: unknown) => {
      errors.push(String(error))
    })
  })
  return {
    goto: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    clickAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    resize: (width, height) => page.setViewportSize({ width, height }),
    screenshot: () => page.screenshot(),
    downloads: () => readdir(folder),
    errors: () => Promise.resolve(errors),
    async close() {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
