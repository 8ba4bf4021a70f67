import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { launch, type Browser } from 'puppeteer-core'
import { findExecutable } from '../../../test/support/programs.ts'
import type { Tab, TestBrowser } from './tab.ts'

/** A mouse, which hovers and points precisely. Headless Firefox has none by default. */
const mouse = 6

/** Firefox, driven by Puppeteer over WebDriver BiDi. */
export function firefox(): TestBrowser {
  const executablePath = findExecutable(['firefox-esr', 'firefox'])
  let running: Promise<{ browser: Browser; folder: string }> | null = null

  async function start(file: string) {
    const folder = await mkdtemp(path.join(tmpdir(), 'rangoli-firefox-'))
    const browser = await launch({
      browser: 'firefox',
      executablePath: file,
      extraPrefsFirefox: {
        'browser.download.dir': folder,
        'browser.download.folderList': 2,
        'intl.accept_languages': 'en-US, en',
        'ui.allPointerCapabilities': mouse,
        'ui.primaryPointerCapabilities': mouse,
      },
    })
    return { browser, folder }
  }

  return {
    name: 'Firefox',
    missing: executablePath ? [] : ['firefox-esr'],
    async open() {
      if (!executablePath) throw new Error('Firefox is not installed.')
      running ??= start(executablePath)
      const { browser, folder } = await running
      return openTab(browser, folder)
    },
    async stop() {
      if (!running) return
      const { browser, folder } = await running
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openTab(browser: Browser, folder: string): Promise<Tab> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return {
    goto: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    clickAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: () => page.screenshot(),
    downloads: () => readdir(folder),
    errors: () => Promise.resolve(errors),
    close: () => context.close(),
  }
}
