import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { eventually } from './support/browser.ts'
import { formOn } from './support/form.ts'
import { startHostedServer } from './support/hosted-server.ts'
import { settled, useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const photo = new URL('../docs/gallery.jpg', import.meta.url)

const site = useSite({ SERVICE_WORKER: 'on' })
/** For the test that replaces the server. */
const replaced = useSite({ SERVICE_WORKER: 'on' })
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('The first post')
})

/** Waits until the service worker handles the requests of the next page. */
async function workerReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    if (active?.state === 'activated') return
    await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }))
  })
}

const cachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)))
    const requests = await Promise.all(caches.map((cache) => cache.keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

async function visitWithWorker(path: string, options: Parameters<typeof site.visit>[1] = {}) {
  const visitor = await site.visit(path, { isNew: true, ...options })
  await workerReady(visitor.page)
  return visitor
}

const offlineHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'No connection' })

test('shows the offline page without a connection, the page once it is back, and can be installed', async () => {
  const { context, page, expectedErrors } = await visitWithWorker('/')
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/)
  await context.setOffline(true)
  await page.goto('/about')
  await offlineHeading(page).waitFor()
  expect(page.url()).toBe(`${site.url}/about`)
  // With its styles.
  const box = await offlineHeading(page).boundingBox()
  const width = await page.evaluate(() => innerWidth)
  expect(box && Math.abs(box.x + box.width / 2 - width / 2)).toBeLessThan(10)
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await offlineHeading(page).waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()

  const devtools = await context.newCDPSession(page)
  const { url, errors } = await devtools.send('Page.getAppManifest')
  expect([url, errors]).toEqual([`${site.url}/manifest.webmanifest`, []])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  const errorIds = installabilityErrors.map(({ errorId }) => errorId)
  // Chromium counts every context but that of its profile as incognito. Its headless shell reports no errors at all.
  expect(errorIds.filter((id) => id !== 'in-incognito')).toEqual([])
})

test('shows a new post on the next page load, and caches no page or data', async () => {
  const visitor = await visitWithWorker('/', { as: asha })
  const { page } = visitor
  await page.reload()
  await page.getByText('The first post').first().waitFor()
  await asha.share('A post after the worker')
  await page.reload()
  await page.getByText('A post after the worker').first().waitFor()
  await page.goto('/account')
  await settled(visitor)
  const paths = await cachedPaths(page)
  expect(paths).toContain('/offline')
  expect(paths.filter((path) => path !== '/offline' && !/^\/assets\/[^/]+\.(?:js|css)$/.test(path))).toEqual(
    [],
  )
})

/** Shares an image with the site as the share menu of a device does: by a form that the browser posts. */
async function shareFromDevice(page: Page, bytes: Buffer): Promise<void> {
  await page.setContent(
    `<form method="post" action="${site.url}/share-image" enctype="multipart/form-data">
      <input type="file" name="image" /><button>Share</button>
    </form>`,
  )
  await page.locator('input').setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: bytes })
  await page.getByRole('button', { name: 'Share' }).click()
  await page.waitForURL('/create-post')
}

const sharedImage = (page: Page) => page.getByText('An image from another app')

test('offers an image that was shared with the site in the form, after sign-in too', async () => {
  const { context, page } = await visitWithWorker('/about')
  await page.reload()
  // Its scripts start after the paint, and would not find the document that is replaced.
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor()
  await shareFromDevice(page, await readFile(photo))
  await page.getByRole('textbox', { name: 'What should the image show?' }).waitFor()
  await sharedImage(page).waitFor()

  await asha.enter(context)
  await page.reload()
  await page.getByRole('button', { name: 'Put into the form' }).click()
  await page.getByText('The image is in the form, ready to be shared.').first().waitFor()
  await eventually(() => sharedImage(page).count()).toBe(0)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Shared from a phone')
  await formOn(page).share.click()
  await page.waitForURL('/')
  await page.getByText('Shared from a phone').first().waitFor()
  expect(await cachedPaths(page)).not.toContain('/share-image')
})

test('shows a push, and forgets the device of a user whose session has ended', async () => {
  const { context, page } = await visitWithWorker('/about', { as: asha })
  const [worker] = context.serviceWorkers()
  // Headless browsers show no notifications.
  await worker?.evaluate(() => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; shown: unknown }
    scope.registration.showNotification = async (title, options) => {
      scope.shown = { title, tag: options?.tag, data: options?.data as unknown }
    }
  })
  const devtools = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(site.url))
      if (own) resolve(own.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: site.url,
    registrationId: await registered,
    data: JSON.stringify({ title: 'Your image is ready', path: '/your-images', tag: 'generation' }),
  })
  await eventually(() => worker?.evaluate(() => (globalThis as unknown as { shown: unknown }).shown)).toEqual(
    { title: 'Your image is ready', tag: 'generation', data: { url: `${site.url}/your-images` } },
  )

  await page.evaluate(() => localStorage.setItem('notifiedUser', 'another user'))
  await page.reload()
  await eventually(() => page.evaluate(() => localStorage.getItem('notifiedUser'))).toBe(null)
})

test('keeps the files of an earlier build while a page may load them, loads once the server answers again, and removes itself without reloading', async () => {
  const { context, page } = await replaced.visit('/about', { isNew: true })
  await workerReady(page)
  await page.evaluate(async () => {
    const cache = await caches.open('build-earlier')
    await cache.put('/assets/earlier.js', new Response('// An earlier build.'))
  })
  const loadEarlier = () => page.evaluate(async () => (await fetch('/assets/earlier.js')).text())
  await page.reload()
  expect(await loadEarlier()).toBe('// An earlier build.')
  await page.close()
  const next = await context.newPage()
  await next.goto('/about')
  await eventually(() => cachedPaths(next)).not.toContain('/assets/earlier.js')
  expect(await cachedPaths(next)).toContain('/offline')

  await replaced.server.stop()
  await next.clock.install()
  await next.goto('/about')
  await offlineHeading(next).waitFor()
  let loads = 0
  next.on('load', () => (loads += 1))
  await next.route('/about', (route) => route.fulfill({ status: 502 }), { times: 1 })
  const failure = next.waitForResponse('/about')
  await next.clock.fastForward(5000)
  expect((await failure).status()).toBe(502)
  const off = await startHostedServer(replaced.folder, {
    PORT: new URL(replaced.url).port,
    SERVICE_WORKER: 'off',
  })
  onTestFinished(() => off.stop())
  await next.clock.fastForward(5000)
  await next.getByRole('heading', { level: 1, name: 'About' }).waitFor()
  await eventually(() => loads).toBe(1)
  const registrations = () =>
    next.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  await eventually(registrations).toBe(0)
  await next.goto('/about')
  expect(await cachedPaths(next)).toEqual([])
  await next.getByRole('link', { name: 'API' }).first().waitFor()
  expect(loads).toBe(2)
})
