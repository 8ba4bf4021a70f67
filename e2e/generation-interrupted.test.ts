import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { launchBrowser, openPage, type TestPage } from './support/browser.ts'
import { expectAlert, expectPageErrors, unexpectedPageErrors } from './support/expectations.ts'
import { dataUrl, expectToday, generationOn, press } from './support/generation.ts'
import { signUp } from './support/user.ts'
import { images, startProvider } from './support/provider.ts'
import { makeFolder, startServer } from './support/server-process.ts'

const provider = await startProvider()
const sentence = 'The server stopped while the image was being generated. Try again.'
/** What a browser says of a server that is not there. */
const gone =
  /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|CONNECTION_RESET|FAILED)/

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await provider.stop()
})

/** TestUser whose image is in the making at a server that can be started again at its address. */
async function begin(prompt: string, env: Record<string, string> = {}) {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  let port = '0'
  async function start() {
    const server = await startServer(folder.path, { TRUST_PROXY: '1', PORT: port, ...provider.env, ...env })
    onTestFinished(() => void server.kill())
    port = new URL(server.url).port
    return server
  }
  const server = await start()
  const asha = await signUp(server.url, 'Asha Rao')
  provider.atOnce = true
  await asha.generate('A lotus made before')
  provider.atOnce = false
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await context.addCookies([{ ...asha.cookie, url: server.url, httpOnly: true, sameSite: 'Lax' }])
  const tab = await openPage(context, server.url)
  await tab.page.goto(`${server.url}/create-post`)
  await press(tab.page, prompt)
  const form = generationOn(tab.page)
  // With the list the last of the page's parts has come: a crash finds none on its way.
  await form.imageOf('A lotus made before').waitFor()
  const job = await provider.asked(prompt)
  job.preview(images.preview)
  await form.partial.waitFor()
  return { server, start, tab, form, job }
}

function expectQuiet(tab: TestPage): void {
  expect(tab.alerts).toEqual([])
  expect(unexpectedPageErrors(tab)).toEqual([])
}

test('a page open over a crash says that the connection is gone, then that the image is', async () => {
  const { server, start, tab, form } = await begin('A lotus in a crash')
  await server.kill()
  await tab.page.getByText('Restoring the connection…').waitFor()
  expect(await form.partial.getAttribute('src')).toBe(dataUrl(images.preview))
  await expectPageErrors(tab, gone)
  await start()
  await expectAlert(tab, sentence)
  await form.failure.getByText(sentence, { exact: true }).waitFor()
  for (const left of [form.spinner, form.partial, form.cancel]) expect(await left.count()).toBe(0)
  expect(await form.generate.isEnabled()).toBe(true)
  await expectToday(tab.page, 1)
  await form.generate.click()
  ;(await provider.asked('A lotus in a crash', 2)).finish()
  await form.share.waitFor()
  await expectToday(tab.page, 2)
  expectQuiet(tab)
})

test('a page opened after a crash says what happened instead of waiting for ever', async () => {
  const { server, start, tab, form } = await begin('A lotus before a crash')
  await tab.page.goto('about:blank')
  await server.kill()
  await start()
  await tab.page.goto(`${server.url}/create-post`)
  await form.failure.getByText(sentence, { exact: true }).waitFor()
  await form.imageOf('A lotus before a crash').getByText('Not made: the server stopped meanwhile.').waitFor()
  expect(await form.spinner.count()).toBe(0)
  await expectToday(tab.page, 1)
  expectQuiet(tab)
})

test('a page open over a restart is told of it, and gets its image', async () => {
  const { server, start, tab, form, job } = await begin('A lotus over a restart')
  tab.expectedErrors.push(gone)
  server.child.kill('SIGTERM')
  await tab.page.getByText('The server is restarting…').waitFor()
  job.finish()
  await form.share.waitFor()
  expect(await server.finished).toMatchObject({ code: 0 })
  await start()
  await tab.page.reload()
  await form.share.waitFor()
  expect(await form.image.getAttribute('alt')).toBe('A lotus over a restart')
  await expectToday(tab.page, 2)
  expectQuiet(tab)
})

test('a page open over a stop that could not wait is told that the image is not made', async () => {
  const { server, tab, form } = await begin('A lotus cut off', { SHUTDOWN_SECONDS: '1' })
  tab.expectedErrors.push(gone)
  server.child.kill('SIGTERM')
  await expectAlert(tab, sentence)
  await form.failure.getByText(sentence, { exact: true }).waitFor()
  expect(await form.spinner.count()).toBe(0)
  expect(await server.finished).toMatchObject({ code: 0 })
  expectQuiet(tab)
})
