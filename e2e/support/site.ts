import { randomInt } from 'node:crypto'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { hydrationEnd } from '../../src/browser/hydration.ts'
import { sharedBrowser, type TestPage, unexpectedPageErrors, watchPage } from './browser.ts'
import { type CommandResult, type HostedServer, runHosted, startHostedServer } from './hosted-server.ts'
import { makeFolder } from './server-process.ts'

/** A user's browser: a context with an empty profile and its own IP address. */
export interface Visitor extends TestPage {
  readonly context: BrowserContext
  /** Opens another page in the same context. */
  openTab(path: string): Promise<TestPage>
}

/** Motion is reduced unless `reducedMotion` is `no-preference`, as the frames of animations take CPU time. */
interface VisitorOptions extends BrowserContextOptions {
  /** User to sign in. */
  readonly as?: { enter(context: BrowserContext): Promise<void> }
  /** Waits until the page is hydrated and knows the session (default). */
  readonly settle?: boolean
  /** Installs a fake clock, which the test controls through `page.clock`. */
  readonly clock?: boolean
  /** Value of `localStorage.theme`. */
  readonly theme?: string
  /**
   * Opens a new context instead of one that an earlier test has left. Required by tests that install a clock or init scripts,
   * which can't be removed, and by tests of a first visit, which find nothing in the HTTP cache.
   */
  readonly isNew?: boolean
}

/** A context that is reused with its first page. */
interface ReusableContext {
  /** URL of its sites and options that can't be changed, in JSON. */
  readonly key: string
  readonly context: BrowserContext
  readonly page: Page
  /** Removes all but the page's own entry from its history. */
  clearHistory(): Promise<unknown>
}

/** A server and a browser for the tests of one file. */
export interface Site {
  readonly url: string
  readonly server: HostedServer
  readonly folder: string
  readonly browser: Browser
  /** Runs a command of the operator in the folder. */
  run(args: readonly string[]): Promise<CommandResult>
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

/** A file without scripts, where pages of reusable contexts rest. */
const restingPath = '/robots.txt'

/** The viewport of a new context. */
const defaultViewport = { width: 1280, height: 720 }

/** Emptied contexts of this worker, whose sites have the same URL one after another. */
const empty: ReusableContext[] = []

/** Number of emptied contexts that a file leaves to the next one, the last first. */
const maxEmpty = 4

/**
 * Starts a server, and a sign-in service if given, for the tests of a file. After each test, closes or empties its contexts
 * and fails it if a page had unexpected errors or alerts.
 *
 * Contexts are reused, also by later files, for visits with the same options of those that can't be changed: a visit with a
 * new context takes 0.6 s of CPU time, most of it for another renderer process that has to compile the client again, and one
 * with an emptied context 0.25 s.
 *
 * @param env variables of the server
 */
export function useSite(env: Record<string, string> = {}, service: SignInService | null = null): Site {
  let running: Omit<Site, 'visit' | 'run' | 'url'> | undefined
  let removeFolder = () => Promise.resolve()
  const contexts: BrowserContext[] = []
  /** Contexts in use that can be emptied. */
  const reusable: ReusableContext[] = []
  const pages: TestPage[] = []
  let visitorCount = 0
  const network = `${randomInt(256)}.${randomInt(256)}`

  beforeAll(async () => {
    const folder = await makeFolder()
    removeFolder = folder.remove
    await service?.start()
    const [server, browser] = await Promise.all([
      startHostedServer(folder.path, { TRUST_PROXY: '1', SETUP: 'off', ...service?.env, ...env }),
      sharedBrowser(),
    ])
    running = { server, browser, folder: folder.path }
  })
  afterEach(async () => {
    await Promise.all([
      ...contexts.splice(0).map((context) => context.close()),
      ...reusable.splice(0).map(async (used) => {
        if (await clear(used, site().server.url)) empty.push(used)
        else await used.context.close()
      }),
    ])
    const closedPages = pages.splice(0)
    expect(closedPages.flatMap(({ alerts }) => alerts)).toEqual([])
    expect(closedPages.flatMap(unexpectedPageErrors)).toEqual([])
  })
  afterAll(async () => {
    // What services keep for their own origins and service workers stay in a context.
    const isShared = service === null && env['SERVICE_WORKER'] !== 'on'
    const excess = empty.splice(0, empty.length - (isShared ? maxEmpty : 0))
    await Promise.all(excess.map(({ context }) => context.close()))
    await running?.server.stop()
    await service?.stop()
    await removeFolder()
  })

  function site() {
    if (!running) throw new Error('useSite() starts the site in beforeAll; use it in tests and hooks only.')
    return running
  }

  async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await site().browser.newContext({ baseURL: site().server.url, ...options })
    context.setDefaultTimeout(45_000)
    await watchHydration(context)
    return context
  }

  /** Takes an emptied context with these options that can't be changed, or opens one. */
  async function reusableContext(options: BrowserContextOptions): Promise<ReusableContext> {
    const key = JSON.stringify([site().server.url, options])
    const index = empty.findLastIndex((one) => one.key === key && !one.page.isClosed())
    const [used] = index < 0 ? [] : empty.splice(index, 1)
    if (used) return used
    const context = await newContext(options)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    return { key, context, page, clearHistory: () => devtools.send('Page.resetNavigationHistory') }
  }

  async function visit(
    path: string,
    { as, theme, settle = true, clock = false, isNew = false, viewport, ...options }: VisitorOptions = {},
  ): Promise<Visitor> {
    visitorCount += 1
    const { colorScheme = null, reducedMotion = 'reduce', forcedColors = null, ...fixed } = options
    const used = isNew || clock || viewport === null ? null : await reusableContext(fixed)
    const context =
      used?.context ??
      (await newContext({ ...options, reducedMotion, ...(viewport !== undefined && { viewport }) }))
    if (used) reusable.push(used)
    else contexts.push(context)
    // Sign-in attempts are limited by IP address, for all servers of a process together.
    await context.setExtraHTTPHeaders({ 'X-Forwarded-For': `10.${network}.${visitorCount & 255}` })
    await service?.attach(context)
    await as?.enter(context)
    if (clock) await context.clock.install()

    async function openTab(tabPath: string, page?: Page): Promise<TestPage> {
      const tab = watchPage(page ?? (await context.newPage()), site().server.url, service?.origins)
      pages.push(tab)
      if (used) {
        await tab.page.emulateMedia({ colorScheme, reducedMotion, forcedColors })
        if (viewport) await tab.page.setViewportSize(viewport)
      }
      if (theme !== undefined) {
        await tab.page.goto(site().server.url + restingPath)
        await tab.page.evaluate((value) => localStorage.setItem('theme', value), theme)
      }
      await tab.page.goto(site().server.url + tabPath)
      return tab
    }

    const visitor = {
      context,
      ...(await openTab(path, used?.page)),
      openTab: (otherPath: string) => openTab(otherPath),
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
    run: (args) => runHosted(site().folder, args),
    visit,
  }
}

/** Lets `settled` see when pages of a context are hydrated. */
export async function watchHydration(context: BrowserContext): Promise<void> {
  await context.addInitScript((type) => {
    document.addEventListener(type, () => Object.assign(window, { isHydrated: true }))
  }, hydrationEnd)
}

/**
 * Uses the page, and waits until it is hydrated and the session is known or unavailable. The page itself looks in each frame, as
 * a locator would look twice a second only.
 */
export async function settled({ page }: TestPage): Promise<void> {
  await page.waitForFunction(() => {
    dispatchEvent(new Event('pointermove'))
    // The button of the user or to sign in, which no skeleton follows then, or the note that sign-in is unavailable.
    const known = 'header :is(button:not([popovertarget], :has(+ span)), p)'
    const controls = [...document.querySelectorAll(known)]
    return 'isHydrated' in window && controls.some((element) => element.checkVisibility())
  })
}

/**
 * Removes what a test has left in a context: cookies, stored values, routes, listeners, other tabs, history, and the place of
 * the mouse. Leaves its page at a text of the site, which keeps the renderer process.
 *
 * @returns false if the context can't be used again
 */
async function clear({ context, page, clearHistory }: ReusableContext, url: string): Promise<boolean> {
  if (page.isClosed()) return false
  const otherTabs = context.pages().filter((tab) => tab !== page)
  await Promise.all(otherTabs.map((tab) => tab.close()))
  for (const event of ['console', 'dialog', 'download', 'pageerror', 'request'] as const)
    page.removeAllListeners(event)
  await Promise.all([page, context].map((target) => target.unrouteAll({ behavior: 'ignoreErrors' })))
  try {
    await page.goto(url + restingPath)
  } catch {
    // A test has stopped the server.
    return false
  }
  await Promise.all([
    page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    }),
    context.clearCookies(),
    context.clearPermissions(),
    page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null }),
    page.setViewportSize(defaultViewport),
    page.mouse.move(-1, -1),
    clearHistory(),
  ])
  return true
}
