import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'

/** Disables the GPU and all network access of the browser itself, which draws without a process for that: this takes a tenth of its CPU time. */
const browserArgs = [
  '--disable-gpu',
  '--in-process-gpu',
  // Compilers that optimize take a tenth of the CPU time of pages, and pay for long visits only.
  '--js-flags=--no-opt --no-maglev',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let shared: Promise<Browser> | null = null

/** The browser of this worker, launched on first use. Contexts isolate its tests; do not close it. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser().then((browser) => {
    browser.once('disconnected', () => (shared = null))
    // Vitest ends its workers with SIGTERM.
    process.once('SIGTERM', () => void browser.close().finally(() => process.exit()))
    return browser
  })
  return shared
}

/** Launches a browser, for tests that close it themselves. */
function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: inject('chromium'),
    args: [...browserArgs, ...(isRoot ? ['--no-sandbox'] : [])],
  })
}

/** A page with a record of its alerts and errors. */
export interface TestPage {
  readonly page: Page
  /** Texts of alerts, which are accepted at once. */
  readonly alerts: string[]
  /** Console errors and warnings, with the path of a request that failed, uncaught errors and requests to foreign origins. */
  readonly errors: string[]
  /** Patterns of errors that the test causes on purpose. */
  readonly expectedErrors: RegExp[]
}

/** Opens a page and records its alerts and errors. Requests may go to its own origin and to `allowedOrigins`. */
export async function openPage(
  context: BrowserContext,
  ownOrigin: string,
  allowedOrigins: readonly string[] = [],
): Promise<TestPage> {
  return watchPage(await context.newPage(), ownOrigin, allowedOrigins)
}

/** Records alerts and errors of a page like `openPage`. */
export function watchPage(page: Page, ownOrigin: string, allowedOrigins: readonly string[] = []): TestPage {
  const alerts: string[] = []
  const errors: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    dialog.accept().catch((error: unknown) => errors.push(String(error)))
  })
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    const [text, { url }] = [message.text(), message.location()]
    errors.push(text.startsWith('Failed to load resource') ? `${text} ${new URL(url).pathname}` : text)
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (origin !== ownOrigin && !allowedOrigins.includes(origin) && !['data:', 'blob:'].includes(protocol))
      errors.push(`a request to ${request.url()}`)
  })
  return { page, alerts, errors, expectedErrors: [] }
}

/** Polls a value: `await eventually(() => …).toBe(…)`. */
export function eventually<Value>(
  read: () => Value | Promise<Value>,
): ReturnType<typeof expect.poll<Value | Promise<Value>>> {
  return expect.poll(read, { interval: 50 })
}

/** Waits for an alert and accepts it as expected. Any other alert fails the test at its end. */
export async function expectAlert(tab: TestPage, text: string | RegExp): Promise<void> {
  await eventually(() => tab.alerts.length).toBeGreaterThan(0)
  const [alert] = tab.alerts.splice(0, 1)
  expect(alert).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
}

/** Waits for an error of the page that matches, and accepts all that match as expected. */
export async function expectPageErrors(tab: TestPage, pattern: RegExp): Promise<void> {
  tab.expectedErrors.push(pattern)
  await eventually(() => tab.errors.some((error) => pattern.test(error))).toBe(true)
}

/** Errors of a page that match no expected pattern. */
export function unexpectedPageErrors({ errors, expectedErrors }: TestPage): string[] {
  return errors.filter((error) => !expectedErrors.some((pattern) => pattern.test(error)))
}
