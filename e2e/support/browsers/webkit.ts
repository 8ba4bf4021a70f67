import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Builder, Key, type WebDriver } from 'selenium-webdriver'
import { findFreePorts } from '../../../test/support/ports.ts'
import { findExecutable } from '../../../test/support/programs.ts'
import { eventually } from '../browser.ts'
import type { Tab, TestBrowser } from './tab.ts'

interface Running {
  readonly server: string
  /** Home directory of the browser, where it stores downloads. */
  readonly home: string
  stop(): Promise<void>
}

/** WebKitGTK's test browser, on a display without a screen, driven by Selenium over WebDriver. */
export function webkit(): TestBrowser {
  const driver = findExecutable(['WebKitWebDriver'])
  const display = findExecutable(['Xvfb'])
  const missing = [...(driver ? [] : ['webkit2gtk-driver']), ...(display ? [] : ['xvfb'])]
  return {
    name: 'WebKit',
    missing,
    async open() {
      if (!driver || !display) throw new Error('WebKit is not installed.')
      // Not shared: a driver whose former browser is still exiting may wait forever for the next one.
      return openTab(await start(driver, display))
    },
    stop: () => Promise.resolve(),
  }
}

async function start(driver: string, display: string): Promise<Running> {
  const home = await mkdtemp(path.join(tmpdir(), 'rangoli-webkit-'))
  // Writes the number of a free display to its output.
  const screen = spawn(display, ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(screen.stdout, 'data')) as [Buffer]
  const port = await findFreePorts(1)
  const child = spawn(driver, [`--port=${port}`], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      DISPLAY: `:${number.toString().trim()}`,
      LANG: 'en_US.UTF-8',
    },
    stdio: 'ignore',
  })
  const server = `http://127.0.0.1:${port}`
  await eventually(async () => (await fetch(`${server}/status`)).ok).toBe(true)
  return {
    server,
    home,
    async stop() {
      for (const started of [child, screen]) await end(started)
      // The browser's processes may still write.
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** Without a toolbar, which would keep the window wider than phones. */
const args = ['--automation', '--full-screen']

async function openTab({ server, home, stop }: Running): Promise<Tab> {
  const driver = await new Builder()
    .usingServer(server)
    .withCapabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { args } })
    .build()
  const errors: string[] = []

  /** The driver can't read the console: a script collects what a document reports after it has loaded. */
  async function readErrors(): Promise<void> {
    errors.push(...((await run(driver, 'window.takeErrors?.() ?? []')) as string[]))
  }

  return {
    async goto(url) {
      await readErrors()
      await driver.get(url)
      await run(driver, `(${collectErrors.toString()})()`)
    },
    evaluate: (expression) => run(driver, expression),
    clickAt: (x, y) => driver.actions().move({ x, y }).click().perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    press: (key) => driver.actions().sendKeys({ Escape: Key.ESCAPE }[key]).perform(),
    async resize(width, height) {
      const window = driver.manage().window()
      await window.setRect({ width, height })
      await eventually(() => run(driver, 'innerWidth')).toBe(width)
    },
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    downloads: async () => (await readdir(home, { recursive: true })).map((file) => path.basename(file)),
    async errors() {
      await readErrors()
      return errors
    },
    async close() {
      await driver.quit()
      await stop()
    },
  }
}

/** Evaluates an expression, and waits if its value is a promise. */
async function run(driver: WebDriver, expression: string): Promise<unknown> {
  const result = (await driver.executeAsyncScript(
    `const done = arguments[arguments.length - 1];
    (async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: String(error) }))`,
  )) as { value?: unknown; error?: string }
  if (result.error !== undefined) throw new Error(result.error)
  return result.value
}

/** Runs in the page. */
function collectErrors(): void {
  const errors: string[] = []
  for (const level of ['error', 'warn'] as const) {
    const original = console[level]
    console[level] = (...values: unknown[]) => {
      errors.push(values.map(String).join(' '))
      original(...values)
    }
  }
  window.addEventListener('error', ({ message }) => errors.push(message))
  window.addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
  Reflect.set(window, 'takeErrors', () => errors.splice(0))
}
