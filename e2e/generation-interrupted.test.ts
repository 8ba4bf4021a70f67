import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openPage, sharedBrowser, type TestPage } from './support/browser.ts'
import { expectAlert, expectPageErrors, unexpectedPageErrors } from './support/expectations.ts'
import { imageReady } from './support/form.ts'
import { dataUrl, expectToday, generationOn, startGeneration } from './support/generation.ts'
import { signUp } from './support/user.ts'
import { images, startProvider } from './support/provider.ts'
import { startHostedServer } from './support/hosted-server.ts'
import { makeFolder, startServer } from './support/server-process.ts'

const provider = await startProvider()
const interruptedMessage = 'The server stopped while the image was being generated. Try again.'
/** Browser errors for an unreachable server. */
const unreachable =
  /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|CONNECTION_RESET|FAILED)/

afterAll(provider.stop)

/** Starts a generation on a server that can be restarted on the same port. */
async function begin(prompt: string, env: Record<string, string> = {}) {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  const variables = { TRUST_PROXY: '1', ...provider.env, ...env }
  const server = await startServer(folder.path, variables)
  onTestFinished(() => void server.kill())
  async function start() {
    const next = await startHostedServer(folder.path, { ...variables, PORT: new URL(server.url).port })
    onTestFinished(() => next.stop())
  }
  const asha = await signUp(server.url, 'Asha Rao')
  provider.finishesAtOnce = true
  await asha.generate('A lotus made before')
  provider.finishesAtOnce = false
  const context = await (await sharedBrowser()).newContext()
  onTestFinished(() => context.close())
  await context.addCookies([{ ...asha.cookie, url: server.url, httpOnly: true, sameSite: 'Lax' }])
  const tab = await openPage(context, server.url)
  await tab.page.goto(`${server.url}/create-post`)
  await startGeneration(tab.page, prompt)
  const form = generationOn(tab.page)
  // The list is the last part of the page to load: a crash must not interrupt a request for one.
  await form.imageOf('A lotus made before').waitFor()
  const job = await provider.waitForRequest(prompt)
  job.preview(images.preview)
  await form.partial.waitFor()
  return { server, start, tab, form, job }
}

function expectNoProblems(tab: TestPage): void {
  expect(tab.alerts).toEqual([])
  expect(unexpectedPageErrors(tab)).toEqual([])
}

test('reports the lost connection during a crash, then the failed generation after the restart', async () => {
  const { server, start, tab, form } = await begin('A lotus in a crash')
  await server.kill()
  await tab.page.getByText('Restoring the connection…').waitFor()
  expect(await form.partial.getAttribute('src')).toBe(dataUrl(images.preview))
  await expectPageErrors(tab, unreachable)
  await start()
  await expectAlert(tab, interruptedMessage)
  await form.failure.getByText(interruptedMessage, { exact: true }).waitFor()
  for (const part of [form.spinner, form.partial, form.cancel]) expect(await part.count()).toBe(0)
  expect(await form.generate.isEnabled()).toBe(true)
  await expectToday(tab.page, 1)
  await form.generate.click()
  ;(await provider.waitForRequest('A lotus in a crash', 2)).finish()
  await imageReady(form)
  await expectToday(tab.page, 2)
  expectNoProblems(tab)
})

test('reports the failed generation on a page that is opened after a crash', async () => {
  const { server, start, tab, form } = await begin('A lotus before a crash')
  await tab.page.goto('about:blank')
  await server.kill()
  await start()
  await tab.page.goto(`${server.url}/create-post`)
  await form.failure.getByText(interruptedMessage, { exact: true }).waitFor()
  await form.imageOf('A lotus before a crash').getByText('Not made: the server stopped meanwhile.').waitFor()
  expect(await form.spinner.count()).toBe(0)
  await expectToday(tab.page, 1)
  expectNoProblems(tab)
})

test('announces a graceful restart and still shows the image', async () => {
  const { server, start, tab, form, job } = await begin('A lotus over a restart')
  tab.expectedErrors.push(unreachable)
  server.child.kill('SIGTERM')
  await tab.page.getByText('The server is restarting…').waitFor()
  job.finish()
  await imageReady(form)
  expect(await server.finished).toMatchObject({ code: 0 })
  await start()
  await tab.page.reload()
  await imageReady(form)
  expect(await form.image.getAttribute('alt')).toBe('A lotus over a restart')
  await expectToday(tab.page, 2)
  expectNoProblems(tab)
})
