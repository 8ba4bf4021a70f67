import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/browser.ts'
import { generate } from './support/form.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('Kite over the river')
})

test('controls at the edges stay clear of a notch and round corners', async () => {
  const { page, context } = await site.visit('/', { ...phone, viewport: { width: 740, height: 360 } })
  const insets = { top: 40, left: 50, bottom: 30, right: 50 }
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets })
  /** Returns the visible controls that reach into an inset without scrolling, by more than the target of the mark does. */
  const covered = (selector: string) =>
    page.evaluate(
      ({ top, left, right, overhang, selectorOfControls }) =>
        [...document.querySelectorAll(selectorOfControls)]
          .filter((control) => control.checkVisibility({ checkVisibilityCSS: true }))
          .map((control) => ({ box: control.getBoundingClientRect(), name: control.outerHTML.slice(0, 80) }))
          .filter(
            ({ box }) =>
              box.width > 1 &&
              (box.top < top ||
                box.left < left - overhang ||
                box.right > window.innerWidth - right + overhang),
          )
          .map(({ name }) => name),
      { ...insets, overhang: 6, selectorOfControls: selector },
    )
  await eventually(() => covered('header a, header button, header select')).toEqual([])
  await page.getByRole('main').getByRole('link', { name: 'Kite over the river' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor()
  expect(await covered('[role=dialog] button')).toEqual([])
})

test('the main pages and Generate are in reach of the thumb, on phones only', async () => {
  const { page } = await site.visit('/', { as: asha, ...phone })
  const bar = page.getByRole('navigation', { name: 'Main pages' })
  expect(await bar.getByRole('link', { name: 'Gallery' }).getAttribute('aria-current')).toBe('page')
  expect(await page.getByRole('banner').getByRole('link', { name: 'Create' }).count()).toBe(0)
  await bar.getByRole('link', { name: 'Create' }).tap()
  const button = page.getByRole('main').getByRole('button', { name: 'Generate' })
  await button.waitFor()
  await page.getByText('Options', { exact: true }).tap()
  await eventually(async () => {
    const [box, top] = [await button.boundingBox(), (await bar.boundingBox())?.y ?? 0]
    return box && box.y > 370 && box.y + box.height <= top
  }).toBe(true)
  await bar.getByRole('link', { name: 'Your images' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Your images' }).waitFor()
  const desktop = await site.visit('/', { as: asha })
  expect(await desktop.page.getByRole('navigation', { name: 'Main pages' }).count()).toBe(0)
})

test('the bar at the bottom covers neither the end of a page nor a message, and pulling down reloads', async () => {
  const { page } = await site.visit('/create-post', { as: asha, ...phone })
  const bar = page.getByRole('navigation', { name: 'Main pages' })
  const top = (await bar.boundingBox())?.y ?? 0
  const endOf = async (locator: Locator) => {
    const box = await locator.boundingBox()
    return box && box.y + box.height
  }
  await generate(page, 'Boat on a lake')
  await page.getByRole('button', { name: 'Share with the Community' }).tap()
  const dismiss = page.getByRole('button', { name: 'Dismiss message' })
  await dismiss.waitFor()
  await eventually(() => endOf(dismiss)).toBeLessThanOrEqual(top)
  await dismiss.tap()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await eventually(() => endOf(page.getByRole('contentinfo').getByRole('link').last())).toBeLessThanOrEqual(
    top,
  )
  const overscroll = () =>
    [document.documentElement, document.body].map((element) => getComputedStyle(element).overscrollBehaviorY)
  expect(await page.evaluate(overscroll)).toEqual(['auto', 'auto'])
})

/** Replaces the notifications of the system, which tests can't see, and the visibility of the tab. */
function installNotifications(): void {
  const recorded = { isHidden: false, questions: 0, shown: [] as string[] }
  class FakeNotification extends EventTarget {
    static permission = 'default'
    static requestPermission() {
      recorded.questions += 1
      FakeNotification.permission = 'granted'
      return Promise.resolve('granted')
    }
    constructor(title: string, { body }: NotificationOptions) {
      super()
      recorded.shown.push(`${title} ${body}`)
    }
  }
  Object.assign(window, { Notification: FakeNotification, recorded })
  ServiceWorkerRegistration.prototype.showNotification = (title, options) => {
    recorded.shown.push(`${title} ${options?.body}`)
    return Promise.resolve()
  }
  Object.defineProperty(document, 'hidden', { get: () => recorded.isHidden })
}

const recordedOn = (page: Page) =>
  page.evaluate(() => (window as unknown as { recorded: { questions: number; shown: string[] } }).recorded)

test('a notification tells when an image is ready, once the user has asked for it and looks elsewhere', async () => {
  const { context } = await site.visit('/about', { as: asha, isNew: true, ...phone })
  await context.addInitScript(installNotifications)
  const page = await context.newPage()
  await page.goto(`${site.url}/create-post`)
  const offer = page.getByRole('button', { name: 'Notify me when an image is ready' })
  await generate(page, 'A boat at dusk')
  await offer.waitFor()
  expect(await recordedOn(page)).toMatchObject({ questions: 0, shown: [] })
  await offer.tap()
  await page.getByText('You will be notified when an image is ready').first().waitFor()
  expect(await offer.count()).toBe(0)
  await generate(page, 'Two boats at dusk')
  await eventually(() => page.getByRole('button', { name: 'Generate', exact: true }).isEnabled()).toBe(true)
  expect(await recordedOn(page)).toMatchObject({ questions: 1, shown: [] })
  await page.evaluate(() => {
    ;(window as unknown as { recorded: { isHidden: boolean } }).recorded.isHidden = true
  })
  await page.getByRole('main').getByLabel('Prompt', { exact: true }).fill('Three boats at dusk')
  await page.getByRole('button', { name: 'Generate', exact: true }).tap()
  await eventually(async () => (await recordedOn(page)).shown).toEqual([
    'Your image is ready. Three boats at dusk',
  ])
  await page.reload()
  await page.getByRole('button', { name: 'Share with the Community' }).waitFor()
  expect(await offer.count()).toBe(0)
})
