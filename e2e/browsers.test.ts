import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { authorPath, postPath } from '../shared/routes.ts'
import type { Post } from '../shared/posts.ts'
import { describeBrowsers } from './support/browsers/describe-browsers.ts'
import type { Screen } from './support/browsers/screen.ts'
import { launch } from './support/server-process.ts'
import { useSite } from './support/site.ts'
import { password, signUp, type User } from './support/user.ts'

const site = useSite({
  CONTACT: 'hello@example.org',
  // A text with wide tables and code.
  RULES_FILE: path.resolve(import.meta.dirname, '../docs/engines.md'),
})
const longName = 'हिरण्यगर्भपुरुषोत्तमनारायणस्वामीगोपालकृष्णन'
/** Chromium reports its status as an error. */
const missingPath = '/nothing-here'
let administrator: User
let post: Post
let users = 0

beforeAll(async () => {
  administrator = await signUp(site.url, longName)
  post = await administrator.share(`A peacock ${'in the rain '.repeat(20)}`)
  await administrator.trpc.posts.report.mutate({ id: post.id, reason: 'spam' })
  const { code } = await launch(site.folder, ['account', 'make-admin', administrator.email]).finished
  expect(code).toBe(0)
})

/** Signs in without the dialog. */
async function signIn(screen: Screen, { email }: User): Promise<void> {
  await screen.tab.goto(`${site.url}/robots.txt`)
  const status = await screen.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/auth/sign-in/email', { method: 'POST', headers, body })).status
  }, JSON.stringify({ email, password }))
  expect(status).toBe(200)
}

/** Signs up with the dialog of the header. */
async function signUpOn(screen: Screen): Promise<void> {
  users += 1
  await screen.tab.goto(`${site.url}/`)
  await screen.click({ role: 'button', name: 'Sign In', within: 'banner' })
  await screen.click({ role: 'button', name: 'Create an account', within: 'dialog' })
  await screen.enter({ role: 'textbox', name: 'Name', within: 'dialog' }, 'Asha Rao')
  await screen.enter({ role: 'textbox', name: 'Email', within: 'dialog' }, `asha-${users}@example.org`)
  await screen.enter({ role: 'textbox', name: 'Password', within: 'dialog' }, password)
  await screen.click({ role: 'button', name: 'Sign up', within: 'dialog' })
  await screen.shows({ role: 'button', name: 'Asha', within: 'banner' })
}

describeBrowsers((open) => {
  test.each([
    { device: 'a desktop', width: 1440, height: 900 },
    { device: 'a phone', width: 390, height: 800 },
  ])(
    'a new user generates, shares, finds, likes and downloads an image on $device',
    { timeout: 180_000 },
    async ({ device, width, height }) => {
      const screen = await open()
      await screen.tab.resize(width, height)
      await signUpOn(screen)

      await screen.click({ role: 'link', name: 'Create', within: 'banner' })
      const prompt = `A lotus on ${device}`
      await screen.enter({ role: 'textbox', name: 'Prompt', within: 'main' }, prompt)
      await screen.click({ role: 'button', name: 'Generate', within: 'main' })
      await screen.shows({ role: 'img', name: prompt, within: 'main' })
      await screen.click({ role: 'button', name: 'Share with the Community', within: 'main' })
      await screen.isAt('/')

      await screen.enter({ role: 'searchbox', name: 'Search Posts' }, device)
      await screen.shows({ role: 'heading', name: `Results for ${device}` })
      const found = `/?q=${device.replace(' ', '+')}`
      await screen.isAt(found)
      await screen.click({ role: 'link', name: prompt, within: 'main' })
      await screen.shows({ role: 'dialog', name: prompt })
      await screen.click({ role: 'button', name: 'Like', within: 'dialog' })
      await screen.shows({ role: 'button', name: 'Liked1', within: 'dialog' })
      await screen.click({ role: 'button', name: 'Download', within: 'dialog' })
      const id = await screen.evaluate(() => location.pathname.split('/').at(-1))
      await screen.eventually(() => screen.tab.downloads()).toContain(`download-${id}.jpg`)
      await screen.press('Escape')
      await screen.hides({ role: 'dialog', name: prompt })
      await screen.isAt(found)

      await screen.choose({ role: 'combobox', name: 'Theme', within: 'banner' }, 'Soft dark')
      await screen.tab.goto(`${site.url}/`)
      await screen
        .eventually(() => screen.evaluate(() => document.documentElement.dataset['theme']))
        .toBe('soft-dark')

      await screen.click({ role: 'button', name: 'Asha', within: 'banner' })
      await screen.click({ role: 'menuitem', name: 'Sign Out' })
      await screen.shows({ role: 'button', name: 'Sign In', within: 'banner' })
      expect(await screen.tab.errors()).toEqual([])
    },
  )

  test('no page scrolls sideways at any width', { timeout: 180_000 }, async () => {
    const screen = await open()
    await screen.tab.resize(1440, 800)
    await signIn(screen, administrator)
    const overflows: string[] = []
    for (const address of pages()) {
      await screen.tab.goto(site.url + address)
      await screen.shows({ role: 'button', name: longName, within: 'banner' })
      for (const width of [1440, 1024, 820, 700, 641, 600, 480, 390, 360]) {
        await screen.tab.resize(width, 800)
        const reached = await screen.evaluate(overflow)
        if (reached) overflows.push(`${address}: ${reached}`)
      }
      await screen.tab.resize(1440, 800)
    }
    expect(overflows).toEqual([])
    const errors = await screen.tab.errors()
    expect(errors.filter((error) => !error.includes(missingPath))).toEqual([])
  })

  test('the pointer reaches the image of a card, which can be dragged or saved', async () => {
    const screen = await open()
    await screen.tab.resize(1440, 900)
    await screen.tab.goto(`${site.url}/`)
    await screen.shows({ role: 'button', name: 'Sign In', within: 'banner' })
    const reached = await screen.evaluate((href) => {
      const image = document.querySelector(`a[href="${href}"] img`)
      image?.scrollIntoView({ block: 'center', behavior: 'instant' })
      const { left, top, width, height } = image?.getBoundingClientRect() ?? new DOMRect()
      return document.elementFromPoint(left + width / 2, top + height / 2) === image
    }, postPath(post.id))
    expect(reached).toBe(true)
  })
})

function pages(): string[] {
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

/** Runs in the page. Returns what can be scrolled to the side and by how much, or null. */
function overflow(): string | null {
  window.scrollTo({ left: 1_000, behavior: 'instant' })
  const { scrollX } = window
  window.scrollTo({ left: 0, behavior: 'instant' })
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollX > 0 || scrollWidth > clientWidth ? `${scrollWidth} px of ${clientWidth} px` : null
}
