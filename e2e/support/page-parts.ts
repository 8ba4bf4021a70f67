import type { CDPSession, Locator, Page } from 'playwright-core'

/** Opens the menu of a card. Returns an item of it. */
export async function menuItemOf(card: Locator, item: string): Promise<Locator> {
  const button = card.locator('button[aria-haspopup=menu]')
  await card.hover()
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await card.getByRole('menu').waitFor()
  return card.getByRole('menuitem', { name: item, exact: true })
}

/** Chooses an item of the menu of a card. */
export async function chooseInMenu(card: Locator, item: string): Promise<void> {
  await (await menuItemOf(card, item)).click()
}

/** Effective opacity of an element: its own multiplied by that of all ancestors. */
export function opacityOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    let opacity = 1
    for (let one: Element | null = element; one; one = one.parentElement)
      opacity *= Number(getComputedStyle(one).opacity)
    return opacity
  })
}

/** Width and style of an element's outline. */
export function outlineOf(locator: Locator): Promise<{ width: number; style: string }> {
  return locator.evaluate((element) => {
    const { outlineWidth, outlineStyle } = getComputedStyle(element)
    return { width: Number.parseFloat(outlineWidth), style: outlineStyle }
  })
}

/** Cumulative layout shift since the navigation. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 100))
      }),
  )
}

/** Elements of the sign-in dialog. */
export function dialogOn(page: Page) {
  const dialog = page.getByRole('dialog')
  return {
    dialog,
    name: dialog.getByLabel('Name', { exact: true }),
    email: dialog.getByLabel('Email', { exact: true }),
    password: dialog.getByLabel('Password', { exact: true }),
    signIn: dialog.getByRole('button', { name: 'Sign in', exact: true }),
    signUp: dialog.getByRole('button', { name: 'Sign up', exact: true }),
    toSignUp: dialog.getByRole('button', { name: 'Create an account' }),
    toSignIn: dialog.getByRole('button', { name: 'Sign in instead' }),
    failure: dialog.getByRole('alert').filter({ hasText: /\w/ }),
  }
}

/** Opens the dialog with the button of the header. */
export async function openDialog(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).click()
  const parts = dialogOn(page)
  await parts.email.waitFor()
  return parts
}

/** Returns the label or text of the focused element; null if none is focused. */
export function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return null
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
    const label = isField ? element.labels?.[0]?.textContent : undefined
    const image = element.querySelector('img')?.alt
    return label ?? element.getAttribute('aria-label') ?? (image || element.textContent)
  })
}

/** An authenticator of a page, in Chromium. */
export interface Authenticator {
  /** Number of passkeys that it keeps. */
  count(): Promise<number>
  /** Lets the user confirm with their fingerprint, or not. */
  setVerified(isVerified: boolean): Promise<void>
}

/** Adds an authenticator with user verification to a page, which confirms each request at once. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async count() {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    async setVerified(isUserVerified) {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

type Spot = readonly [x: number, y: number]

/** Sessions that touch a page. Opening one for each tap would take too long for a double tap. */
const touching = new WeakMap<Page, CDPSession>()

/** Presses a spot of the page, moves to another one and releases: with a finger on a touch screen, else with the mouse. */
export async function drag(page: Page, from: Spot, to: Spot = from): Promise<void> {
  const parts = to === from ? [] : [0.3, 0.6, 1]
  const path = parts.map(
    (part) => [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part] as const,
  )
  if (!(await page.evaluate(() => navigator.maxTouchPoints))) {
    await page.mouse.move(...from)
    await page.mouse.down()
    for (const spot of path) await page.mouse.move(...spot)
    return page.mouse.up()
  }
  const devTools = touching.get(page) ?? (await page.context().newCDPSession(page))
  touching.set(page, devTools)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...spots: readonly Spot[]) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints: spots.map(([x, y]) => ({ x, y })) })
  await touch('touchStart', from)
  for (const spot of path) await touch('touchMove', spot)
  await touch('touchEnd')
}
