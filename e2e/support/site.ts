import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openPage, sharedBrowser, type TestPage } from './browser.ts'
import { unexpectedPageErrors } from './expectations.ts'
import { makeFolder, startServer, type ServerProcess } from './server-process.ts'

/** A user's browser: a context of its own with its own IP address. */
export interface Visitor extends TestPage {
  readonly context: BrowserContext
  /** Opens another page in the same context. */
  openTab(path: string): Promise<TestPage>
}

interface VisitorOptions extends BrowserContextOptions {
  /** User to sign in. */
  readonly as?: { enter(context: BrowserContext): Promise<void> }
  /** Waits until the page is hydrated and knows the session (default). */
  readonly settle?: boolean
  /** Installs a fake clock, which the test controls through `page.clock`. */
  readonly clock?: boolean
  /** Value of `localStorage.theme`. */
  readonly theme?: string
}

/** A server process and a browser for the tests of one file. */
export interface Site {
  readonly url: string
  readonly server: ServerProcess
  readonly folder: string
  readonly browser: Browser
  /** Opens `path` in a new context. */
  visit(path: string, options?: VisitorOptions): Promise<Visitor>
}

/** An external sign-in service. */
export interface SignInService {
  /** Server variables that configure it. */
  readonly env: Record<string, string>
  /** Origins that pages may request. */
  readonly origins: readonly string[]
  /** Routes requests of a context to the service. */
  attach(context: BrowserContext): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server, and a sign-in service if given, for the tests of a file. After each test, closes its contexts and fails
 * it if a page had unexpected errors or alerts.
 *
 * @param env variables of the server
 */
export function useSite(env: Record<string, string> = {}, service: SignInService | null = null): Site {
  let running: Omit<Site, 'visit' | 'url'> | undefined
  let removeFolder = () => Promise.resolve()
  const contexts: BrowserContext[] = []
  const pages: TestPage[] = []
  let visitorCount = 0

  beforeAll(async () => {
    const folder = await makeFolder()
    removeFolder = folder.remove
    await service?.start()
    const [server, browser] = await Promise.all([
      startServer(folder.path, { TRUST_PROXY: '1', ...service?.env, ...env }),
      sharedBrowser(),
    ])
    running = { server, browser, folder: folder.path }
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    const closedPages = pages.splice(0)
    expect(closedPages.flatMap(({ alerts }) => alerts)).toEqual([])
    expect(closedPages.flatMap(unexpectedPageErrors)).toEqual([])
  })
  afterAll(async () => {
    await running?.server.stop()
    await service?.stop()
    await removeFolder()
  })

  function site() {
    if (!running) throw new Error('useSite() starts the site in beforeAll; use it in tests and hooks only.')
    return running
  }

  async function openTab(context: BrowserContext, path: string): Promise<TestPage> {
    const tab = await openPage(context, site().server.url, service?.origins)
    pages.push(tab)
    await tab.page.goto(site().server.url + path)
    return tab
  }

  async function visit(
    path: string,
    { as, theme, settle = true, clock = false, ...options }: VisitorOptions = {},
  ): Promise<Visitor> {
    visitorCount += 1
    const context = await site().browser.newContext({
      baseURL: site().server.url,
      // Sign-in attempts are limited by IP address.
      extraHTTPHeaders: { 'X-Forwarded-For': `10.0.${visitorCount >> 8}.${visitorCount & 255}` },
      ...options,
    })
    contexts.push(context)
    context.setDefaultTimeout(15_000)
    await service?.attach(context)
    await as?.enter(context)
    if (clock) await context.clock.install()
    if (theme !== undefined)
      await context.addInitScript((value) => localStorage.setItem('theme', value), theme)
    const visitor = {
      context,
      ...(await openTab(context, path)),
      openTab: (otherPath: string) => openTab(context, otherPath),
    }
    if (settle && options.javaScriptEnabled !== false) await settled(visitor)
    return visitor
  }

  return {
    get url() {
      return site().server.url
    },
    get server() {
      return site().server
    },
    get folder() {
      return site().folder
    },
    get browser() {
      return site().browser
    },
    visit,
  }
}

/** Waits until the page is hydrated and the session is known or unavailable. */
export async function settled({ page }: TestPage): Promise<void> {
  const banner = page.getByRole('banner')
  await banner.getByRole('button').or(banner.getByText('Sign-in is unavailable')).first().waitFor()
}
