import { expect, test } from 'vitest'
import { describeBrowsers } from './support/browsers/describe-browsers.ts'
import type { Screen } from './support/browsers/screen.ts'
import { useSite } from './support/site.ts'
import { password } from './support/user.ts'

const site = useSite()
let users = 0

/** Signs up with the dialog of the header. */
async function signUp(screen: Screen): Promise<void> {
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
      await signUp(screen)

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
})
