import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { authorPath, postPath } from '../../../shared/routes.ts'
import type { Post } from '../../../shared/posts.ts'
import { describeUnlessMissing } from '../../../test/support/programs.ts'
import { useSite } from '../site.ts'
import { translator } from '../translations.ts'
import { password, signUp, type User } from '../user.ts'
import { Screen } from './screen.ts'
import type { Tab, TestBrowser } from './tab.ts'

const longName = 'हिरण्यगर्भपुरुषोत्तमनारायणस्वामीगोपालकृष्णन'
/** Chromium reports its status as an error. */
const missingPath = '/nothing-here'
let users = 0

const languages = {
  en: { name: 'English', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  hi: { name: 'हिन्दी', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
} as const
type Language = keyof typeof languages
type Translate = ReturnType<typeof translator>

/** Defines the tests of what users mostly do, in a browser. Skipped where it is not installed. */
export function testBrowser(browser: TestBrowser): void {
  describeUnlessMissing(`in ${browser.name}`, browser.missing, () => {
    const site = useSite({
      CONTACT: 'hello@example.org',
      // A text with wide tables and code.
      RULES_FILE: path.resolve(import.meta.dirname, '../../../docs/engines.md'),
    })
    let administrator: User
    let post: Post

    const tabs: Tab[] = []

    beforeAll(async () => {
      administrator = await signUp(site.url, longName)
      post = await administrator.share(`A peacock ${'in the rain '.repeat(20)}`)
      await administrator.trpc.posts.report.mutate({ id: post.id, reason: 'spam' })
      const { code } = await site.run(['account', 'make-admin', administrator.email])
      expect(code).toBe(0)
    })

    afterEach(async ({ task }) => {
      for (const tab of tabs.splice(0)) {
        if (task.result?.state === 'fail') await saveScreen(tab, `${browser.name}-${task.id}`)
        await tab.close()
      }
    })
    afterAll(() => browser.stop())

    /** Opens a tab with an empty profile for the rest of a test. */
    async function open(): Promise<Screen> {
      const tab = await browser.open()
      tabs.push(tab)
      return new Screen(tab)
    }

    test.each([
      { device: 'a desktop', language: 'en', width: 1440, height: 900 },
      { device: 'a phone', language: 'en', width: 390, height: 800 },
      { device: 'a phone in Arabic', language: 'ar', width: 390, height: 800 },
    ] as const)(
      'a new user generates, shares, finds, likes and downloads an image on $device',
      { timeout: 180_000 },
      async ({ device, language, width, height }) => {
        const t = translator(language)
        const screen = await open()
        await screen.tab.resize(width, height)
        await screen.tab.goto(`${site.url}/`)
        await chooseLanguage(screen, 'en', language)
        await signUpOn(screen, t)

        await screen.click({ role: 'link', name: t('Create'), within: 'banner' })
        const prompt = `A lotus on ${device}`
        await screen.enter({ role: 'textbox', name: t('Prompt'), within: 'main' }, prompt)
        await screen.click({ role: 'button', name: t('Generate'), within: 'main' })
        await screen.shows({ role: 'img', name: prompt, within: 'main' })
        await screen.click({ role: 'button', name: t('Share with the Community'), within: 'main' })
        await screen.isAt('/')

        await screen.enter({ role: 'searchbox', name: t('Search Posts') }, device)
        await screen.shows({ role: 'heading', name: t('Results for <0/>').replace('<0/>', device) })
        const found = `/?q=${device.replaceAll(' ', '+')}`
        await screen.isAt(found)
        await screen.click({ role: 'link', name: prompt, within: 'main' })
        await screen.shows({ role: 'dialog', name: prompt })
        await screen.click({ role: 'button', name: t('Like', 'action'), within: 'dialog' })
        await screen
          .eventually(() =>
            screen.evaluate(() => document.querySelector('[role=dialog] [aria-pressed=true]') !== null),
          )
          .toBe(true)
        await screen.click({ role: 'button', name: t('Download', 'action'), within: 'dialog' })
        const id = await screen.evaluate(() => location.pathname.split('/').at(-1))
        await screen.eventually(() => screen.tab.downloads()).toContain(`download-${id}.jpg`)
        await screen.press('Escape')
        await screen.hides({ role: 'dialog', name: prompt })
        await screen.isAt(found)

        await screen.choose({ role: 'combobox', name: t('Theme'), within: 'banner' }, t('Soft dark'))
        await screen.tab.goto(`${site.url}/`)
        await screen
          .eventually(() =>
            screen.evaluate(() => {
              const { dataset, lang } = document.documentElement
              return [dataset['theme'], lang]
            }),
          )
          .toEqual(['soft-dark', language])

        await screen.click({ role: 'button', name: 'Asha', within: 'banner' })
        await screen.click({ role: 'menuitem', name: t('Sign Out') })
        await screen.shows({ role: 'button', name: t('Sign In'), within: 'banner' })
        expect(await screen.tab.errors()).toEqual([])
      },
    )

    test('no page scrolls sideways at any width, in any language', { timeout: 180_000 }, async () => {
      const screen = await open()
      await screen.tab.resize(1440, 800)
      await signIn(screen, site.url, administrator)
      const overflows: string[] = []
      let language: Language = 'en'
      for (const address of pages(post)) {
        await screen.tab.goto(site.url + address)
        await screen.shows({ role: 'button', name: longName, within: 'banner' })
        for (const next of Object.keys(languages) as Language[]) {
          await chooseLanguage(screen, language, next)
          language = next
          // Also from wide to narrow at once, as when a tablet is turned.
          for (const width of [1440, 360, 900, 641, 480]) {
            await screen.tab.resize(width, 800)
            const reached = await screen.evaluate(overflow)
            if (reached) overflows.push(`${address} in ${language}: ${reached}`)
          }
        }
      }
      expect(overflows).toEqual([])
      const errors = await screen.tab.errors()
      expect(errors.filter((error) => !error.includes(missingPath))).toEqual([])
    })
  })
}

async function saveScreen(tab: Tab, name: string): Promise<void> {
  const file = path.join(tmpdir(), `rangoli-${name}.png`)
  await writeFile(file, await tab.screenshot())
  console.warn(`The last screen of the failed test: ${file}`)
}

/** Signs in without the dialog. */
async function signIn(screen: Screen, url: string, { email }: User): Promise<void> {
  await screen.tab.goto(`${url}/robots.txt`)
  const status = await screen.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/auth/sign-in/email', { method: 'POST', headers, body })).status
  }, JSON.stringify({ email, password }))
  expect(status).toBe(200)
}

/** Signs up with the dialog of the header. */
async function signUpOn(screen: Screen, t: Translate): Promise<void> {
  users += 1
  await screen.click({ role: 'button', name: t('Sign In'), within: 'banner' })
  await screen.click({ role: 'button', name: t('Create an account'), within: 'dialog' })
  await screen.enter({ role: 'textbox', name: t('Name'), within: 'dialog' }, 'Asha Rao')
  await screen.enter({ role: 'textbox', name: t('Email'), within: 'dialog' }, `asha-${users}@example.org`)
  await screen.enter({ role: 'textbox', name: t('Password'), within: 'dialog' }, password)
  await screen.click({ role: 'button', name: t('Sign up'), within: 'dialog' })
  await screen.shows({ role: 'button', name: 'Asha', within: 'banner' })
}

/** Switches a page between languages, in the header. */
async function chooseLanguage(screen: Screen, from: Language, to: Language): Promise<void> {
  if (from === to) return
  const { name, direction } = languages[to]
  await screen.choose({ role: 'combobox', name: translator(from)('Language'), within: 'banner' }, name)
  await screen
    .eventually(() => screen.evaluate(() => [document.documentElement.lang, document.documentElement.dir]))
    .toEqual([to, direction])
}

function pages(post: Post): string[] {
  return [
    '/',
    '/?q=peacock',
    '/create-post',
    '/your-images',
    '/account',
    '/moderation',
    '/about',
    '/rules',
    postPath(post.id),
    authorPath(post.authorId),
    missingPath,
  ]
}

/** Runs in the page. Returns the widths of the page and the window if it scrolls sideways, in either direction. */
function overflow(): string | null {
  const reached = [1_000, -1_000].map((left) => {
    window.scrollTo({ left, behavior: 'instant' })
    return window.scrollX
  })
  window.scrollTo({ left: 0, behavior: 'instant' })
  const { scrollWidth, clientWidth } = document.documentElement
  return reached.some(Boolean) || scrollWidth > clientWidth ? `${scrollWidth} px of ${clientWidth} px` : null
}
