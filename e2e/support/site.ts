import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { unexpectedComplaints } from './expectations.ts'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'
import { makeFolder, startServer, type ServerProcess } from './server-process.ts'

/** TestUser at a browser of their own, at an address of their own. */
export interface Visitor extends WatchedPage {
  readonly context: BrowserContext
  /** One more page of the same browser. */
  openTab(path: string): Promise<WatchedPage>
}

interface VisitorOptions extends BrowserContextOptions {
  /** Who is signed in from the start. */
  readonly as?: { enter(context: BrowserContext): Promise<void> }
  /** False: the page is shown as soon as it is there, before it is known who is signed in. */
  readonly settle?: boolean
  /** True: the test turns the clock of the pages on, by `page.clock`. */
  readonly clock?: boolean
  /** The stored theme. */
  readonly theme?: string
}

/** A server process and a browser for the tests of one file. */
export interface Site {
  readonly url: string
  readonly server: ServerProcess
  readonly folder: string
  readonly browser: Browser
  /** A browser that shows the page at `path`, ready for use. */
  visit(path: string, options?: VisitorOptions): Promise<Visitor>
}

/** A service elsewhere that users sign in with. */
export interface SignInService {
  /** What the server needs to know of it. */
  readonly env: Record<string, string>
  /** Where pages find it. */
  readonly origins: readonly string[]
  /** Has a browser find it there. */
  attach(context: BrowserContext): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server and a browser before the file's tests and ends them after, with the service that users sign
 * in with where it is not the server's own. After each test, whatever a page complained about or alerted, and
 * nobody expected, fails it.
 */
export function useSite(env: Record<string, string> = {}, service: SignInService | null = null): Site {
  let running: Omit<Site, 'visit' | 'url'> | undefined
  let removeFolder = () => Promise.resolve()
  const contexts: BrowserContext[] = []
  const pages: WatchedPage[] = []
  let visitors = 0

  beforeAll(async () => {
    const folder = await makeFolder()
    removeFolder = folder.remove
    await service?.start()
    const [server, browser] = await Promise.all([
      startServer(folder.path, { TRUST_PROXY: '1', ...service?.env, ...env }),
      launchBrowser(),
    ])
    running = { server, browser, folder: folder.path }
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    const left = pages.splice(0)
    expect(left.flatMap(({ alerts }) => alerts)).toEqual([])
    expect(left.flatMap(unexpectedComplaints)).toEqual([])
  })
  afterAll(async () => {
    await running?.browser.close()
    await running?.server.stop()
    await service?.stop()
    await removeFolder()
  })

  function site() {
    if (!running) throw new Error('The site runs in tests and hooks only.')
    return running
  }

  async function openTab(context: BrowserContext, path: string): Promise<WatchedPage> {
    const tab = await openPage(context, site().server.url, service?.origins)
    pages.push(tab)
    await tab.page.goto(site().server.url + path)
    return tab
  }

  async function visit(
    path: string,
    { as, theme, settle = true, clock = false, ...options }: VisitorOptions = {},
  ): Promise<Visitor> {
    visitors += 1
    const context = await site().browser.newContext({
      baseURL: site().server.url,
      // The limits on sign-in count by address.
      extraHTTPHeaders: { 'X-Forwarded-For': `10.0.${visitors >> 8}.${visitors & 255}` },
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
      openTab: (other: string) => openTab(context, other),
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

/** Until the page has hydrated and knows who is signed in, or that it can't know. */
export async function settled({ page }: WatchedPage): Promise<void> {
  const banner = page.getByRole('banner')
  await banner.getByRole('button').or(banner.getByText('Sign-in is unavailable')).first().waitFor()
}
