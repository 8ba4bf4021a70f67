import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openPage, sharedBrowser } from './support/browser.ts'
import { eventually } from './support/expectations.ts'
import { signUp } from './support/user.ts'
import { launch, launcher, makeFolder } from './support/server-process.ts'

test('the development server renders and hydrates the gallery and connects for hot reload', async () => {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  const port = 20_000 + (process.pid % 20_000)
  const { child, finished, output } = launch(
    folder.path,
    ['dev'],
    { PORT: String(port), TRUST_PROXY: '1' },
    launcher,
  )
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await finished
  })
  while (!output().includes('http://')) await once(child.stdout, 'data')
  const url = `http://127.0.0.1:${port}`
  const asha = await signUp(url, 'Asha Rao')
  await asha.share('दीपावली की रात\n<b>&amp; "more"</b>', 'हेमंत कुमार')

  const context = await (await sharedBrowser()).newContext()
  onTestFinished(() => context.close())
  const tab = await openPage(context, url)
  const messages: string[] = []
  tab.page.on('console', (message) => messages.push(message.text()))
  for (const path of ['/?q=दीप', '/create-post']) {
    messages.length = 0
    await tab.page.goto(url + path)
    await tab.page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor()
    await eventually(() => messages).toContain('[vite] connected.')
  }
  expect(tab.errors).toEqual([])
})
