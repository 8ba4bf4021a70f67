import { appendFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { findFreePorts } from '../test/support/ports.ts'
import { eventually, openPage, sharedBrowser } from './support/browser.ts'
import { launch, launcher, startServer } from './support/server-process.ts'
import { signUp } from './support/user.ts'
import { settled, watchHydration } from './support/site.ts'
import { tempFolder } from '../test/support/folder.ts'

test('prints the address and the configuration, loads no clients that are not configured, and stops on SIGINT', async () => {
  const folder = await tempFolder()
  const coverage = path.join(folder, 'coverage')
  await writeFile(
    path.join(folder, '.env'),
    'SITE_NAME="From the file"\nSIGN_UP=closed\nUPLOADS_DIR=images\n',
  )
  // Node lists the scripts that a process has loaded.
  const server = await startServer(folder, { SITE_NAME: 'My images', NODE_V8_COVERAGE: coverage })
  onTestFinished(() => void server.kill())
  await eventually(() => server.output().split('\n')).toEqual([
    `My images is at ${server.url}`,
    expect.stringMatching(/^ {2}sign-in +local accounts, sign-up closed$/),
    expect.stringMatching(/^ {2}image engine +rangoli$/),
    `  database      ${path.join(folder, 'data/rangoli.db')}`,
    `  uploads       ${path.join(folder, 'images')}`,
    expect.stringMatching(/^Set up this site: http:\S+\/setup#code=[\w-]{32}$/),
    '',
  ])
  expect(await (await fetch(server.url)).text()).toContain('My images — Text-to-Image AI Generator')
  expect(server.errors()).toBe('')
  server.child.kill('SIGINT')
  expect(await server.finished).toMatchObject({ code: 0 })
  const loaded = new Set<string>()
  for (const file of await readdir(coverage)) {
    const { result } = JSON.parse(await readFile(path.join(coverage, file), 'utf8')) as {
      result: { url: string }[]
    }
    for (const { url } of result) loaded.add(url)
  }
  expect(loaded).toContain(pathToFileURL(inject('server')).href)

  const chunks = path.join(path.dirname(inject('server')), 'assets')
  const files = (await readdir(chunks)).map((name) => path.join(chunks, name))
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  // Of pg, the S3 client and openai.
  for (const words of [
    'Client has encountered a connection error',
    'x-amz-content-sha256',
    'OPENAI_ADMIN_KEY',
  ]) {
    const containing = files.filter((_, index) => contents[index]?.includes(words))
    expect(containing).not.toEqual([])
    expect(containing.filter((file) => loaded.has(pathToFileURL(file).href))).toEqual([])
  }
})

/** Files that a build needs. */
const sources = [
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.base.json',
  'public',
  'shared',
  'server',
  'src',
  'docs/rest.md',
]

test('npm start in a checkout that was never built', async () => {
  const folder = await tempFolder()
  const [checkout, site] = [path.join(folder, 'checkout'), path.join(folder, 'site')]
  const root = path.resolve(import.meta.dirname, '..')
  await mkdir(checkout)
  await mkdir(site)
  await Promise.all(
    sources.map((name) => cp(path.join(root, name), path.join(checkout, name), { recursive: true })),
  )
  await symlink(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'))
  /** Finished builds, and remains of interrupted ones. */
  const built = () => readdir(path.join(checkout, 'dist')).catch(() => [])
  const start = (env: Record<string, string> = {}) => {
    const started = launch(site, ['serve'], env, path.join(checkout, 'server/launch.mjs'))
    onTestFinished(() => void started.child.kill('SIGKILL'))
    return started
  }

  // Names an invalid variable before it builds.
  const invalid = await start({ PORT: 'three' }).finished
  expect(invalid).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^PORT: .*\n$/) })

  const stopped = start()
  await expect.poll(built).toHaveLength(1)
  stopped.child.kill('SIGINT')
  expect(await stopped.finished).toEqual({
    code: null,
    signal: 'SIGINT',
    stdout: 'Building …\n',
    stderr: '',
  })
  expect(await built()).toEqual([])

  await appendFile(path.join(checkout, 'src/main.tsx'), '\nconst = 5\n')
  const failed = await start().finished
  expect(failed).toMatchObject({ code: 1, stdout: 'Building …\n' })
  expect(failed.stderr).toMatch(/^The build failed:$/m)
  expect(failed.stderr).toContain('src/main.tsx')
  expect(failed.stderr).not.toContain('node:internal')
  expect(await built()).toEqual([])
  expect(await readdir(site)).toEqual([])
})

test('the development server renders and hydrates the gallery and connects for hot reload', async () => {
  const folder = await tempFolder()
  const port = await findFreePorts(1)
  const { child, finished, output } = launch(
    folder,
    ['dev'],
    { PORT: String(port), TRUST_PROXY: '1' },
    launcher,
  )
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await finished
  })
  await expect.poll(output).toContain('http://')
  const url = `http://127.0.0.1:${port}`
  const asha = await signUp(url, 'Asha Rao')
  await asha.share('दीपावली की रात\n<b>&amp; "more"</b>', 'हेमंत कुमार')

  const context = await (await sharedBrowser()).newContext()
  onTestFinished(() => context.close())
  await watchHydration(context)
  const tab = await openPage(context, url)
  const connected = tab.page.waitForEvent('console', (message) => message.text() === '[vite] connected.')
  await tab.page.goto(`${url}/?q=दीप`)
  await settled(tab)
  await connected
  expect(tab.errors).toEqual([])
})
