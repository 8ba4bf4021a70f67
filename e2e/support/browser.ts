import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { inject } from 'vitest'

/** Nothing that reaches out to the network by itself. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the browser that the global set-up found. */
export function launchBrowser(): Promise<Browser> {
  const asRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: inject('chromium'),
    args: [...quiet, ...(asRoot ? ['--no-sandbox'] : [])],
  })
}

/** A page that keeps what it complained about. */
export interface WatchedPage {
  readonly page: Page
  /** Texts of the alerts so far; each is accepted at once. */
  readonly alerts: string[]
  /** Console errors and warnings, uncaught errors and requests to hosts that the page has no business with. */
  readonly complaints: string[]
  /** Complaints that a test causes on purpose. */
  readonly expected: RegExp[]
}

/** Opens a page in a context, watched from its first moment; it may make requests to its own origin and `others`. */
export async function openPage(
  context: BrowserContext,
  own: string,
  others: readonly string[] = [],
): Promise<WatchedPage> {
  const page = await context.newPage()
  const alerts: string[] = []
  const complaints: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    dialog.accept().catch((error: unknown) => complaints.push(String(error)))
  })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (origin !== own && !others.includes(origin) && !['data:', 'blob:'].includes(protocol))
      complaints.push(`a request to ${request.url()}`)
  })
  return { page, alerts, complaints, expected: [] }
}
