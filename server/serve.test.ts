import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from './config/config.ts'
import { serviceWorkerPath } from '../shared/service-worker.ts'
import { languages } from '../src/i18n/messages.ts'
import { announcementsSource } from '../src/announcements.tsx'
import { pageSources } from '../src/pages.tsx'
import { fontSources } from './http/ssr/client-build.ts'
import { serve } from './serve.ts'
import { tempFolder } from '../test/support/folder.ts'

const log = pino({ level: 'silent' })

/** The parts of a client build that the server reads. */
async function buildClient(folder: string, css: string): Promise<string> {
  const directory = path.join(folder, 'client')
  await mkdir(path.join(directory, '.vite'), { recursive: true })
  await mkdir(path.join(directory, 'assets'))
  const sources = [announcementsSource, ...pageSources, ...Object.values(fontSources)]
  const manifest = {
    'src/main.tsx': { file: 'assets/main-1.js', css: ['assets/main-1.css'], imports: ['_react.js'] },
    '_react.js': { file: 'assets/react-1.js' },
    ...Object.fromEntries(
      languages.flatMap((language) =>
        ['', '?others.po'].map((query) => [
          `src/i18n/locales/${language}.po${query}`,
          { file: `assets/${language}-1.js` },
        ]),
      ),
    ),
    ...Object.fromEntries(sources.map((source) => [source, { file: 'assets/page-1.js' }])),
  }
  await writeFile(path.join(directory, '.vite/manifest.json'), JSON.stringify(manifest))
  await writeFile(path.join(directory, 'assets/main-1.js'), 'export {}')
  await writeFile(path.join(directory, 'assets/main-1.css'), css)
  await writeFile(path.join(directory, serviceWorkerPath), '')
  await writeFile(path.join(directory, 'favicon.svg'), '<svg/>')
  return directory
}

async function start(env: Record<string, string> = {}, css = '') {
  const folder = await tempFolder()
  const config = parseConfig({ HOST: '127.0.0.1', PORT: '0', ...env }, folder)
  const server = await serve(config, log, await buildClient(folder, css))
  onTestFinished(() => server.stop())
  return {
    server,
    folder,
    lines: server.summary,
    url: /http:\/\/\S+/.exec(server.summary[0] ?? '')?.[0] ?? '',
  }
}

test('the summary names URL, sign-in, engine, database and folder', async () => {
  const { lines, folder, url } = await start({ SITE_NAME: 'My images', SIGN_UP: 'closed' })
  expect(lines).toEqual([
    expect.stringMatching(/^My images is at http:\/\/127\.0\.0\.1:\d+$/),
    expect.stringMatching(/sign-in +local accounts, sign-up closed$/),
    expect.stringMatching(/image engine +rangoli$/),
    expect.stringMatching(new RegExp(`database +${folder}/data/rangoli\\.db$`)),
    expect.stringMatching(new RegExp(`uploads +${folder}/uploads$`)),
  ])
  expect(await (await fetch(`${url}/`)).text()).toContain('My images')
})

test('serves a page that loads the built files', async () => {
  const { url } = await start()
  const html = await (await fetch(`${url}/create-post`)).text()
  expect(html).toContain(
    'data-when="now" data-files="/assets/react-1.js /assets/main-1.js /assets/en-1.js /assets/page-1.js"',
  )
  expect(html).toContain('<link rel="stylesheet" href="/assets/main-1.css" />')
  const script = await fetch(`${url}/assets/main-1.js`, { headers: { range: 'lines=1' } })
  expect(script.status).toBe(200)
  expect(script.headers.get('content-type')).toContain('javascript')
  expect(script.headers.get('cache-control')).toContain('immutable')
  expect((await fetch(`${url}/favicon.svg`, { headers: { range: 'bytes=0-1' } })).status).toBe(206)
  expect((await fetch(`${url}/favicon.svg`)).headers.get('cache-control')).not.toContain('immutable')
})

test('updates the service worker with the offline page', async () => {
  const servers = await Promise.all(['', 'p{}', 'p{}'].map((css) => start({}, css)))
  const read = async ({ url }: { url: string }) => (await fetch(url + serviceWorkerPath)).text()
  expect(new Set(await Promise.all(servers.map(read))).size).toBe(2)
})

test.each(['/.vite/manifest.json', '/assets/..%2f.vite%2fmanifest.json'])(
  'does not serve %s',
  async (address) => {
    const { url } = await start()
    const response = await fetch(url + address)
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('isEntry')
  },
)

test('reports a port in use in one line', async () => {
  const { port } = new URL((await start()).url)
  const message = `PORT: ${port} is already in use on 127.0.0.1; stop the other server or choose another port.`
  await expect(start({ PORT: port })).rejects.toMatchObject({ name: 'StartError', message })
})

test.each([
  [{ HOST: '192.0.2.1', DATABASE_URL: 'file:/dev' }, /^HOST: 192\.0\.2\.1 is not an address of this machine/],
  [{ HOST: 'no-such-host.invalid' }, /^HOST: "no-such-host\.invalid" does not resolve .* the spelling\.$/],
  [{ UPLOADS_DIR: '/dev/null/uploads' }, /^UPLOADS_DIR: the folder \S+ can't be written \(ENOTDIR\)\.$/],
  [{ UPLOADS_DIR: '/proc/a/b' }, /^UPLOADS_DIR: the folder \S+ can't be written \(E\w+\)\.$/],
])('reports %j in one line', async (env, message) => {
  const rejected = { name: 'StartError', message: expect.stringMatching(message) }
  await expect(start(env)).rejects.toMatchObject(rejected)
})

test('reports what is not a database in one line, and leaves nothing next to it', async () => {
  const folder = await tempFolder()
  await mkdir(path.join(folder, 'album'))
  await writeFile(path.join(folder, 'diary.db'), 'Dear diary, '.repeat(1_000))
  const message = /^DATABASE_URL: the database [^\n]+ can't be opened \([^\n]+\)\.[^\n]*$/
  for (const name of ['album', 'diary.db', 'diary.db/rangoli.db'])
    await expect(start({ DATABASE_URL: `file:${path.join(folder, name)}` })).rejects.toThrow(message)
  expect(await readdir(folder)).toEqual(['album', 'diary.db'])
})

test('stops without leaving anything open, and starts again', async () => {
  const { server, folder, url } = await start({ SHUTDOWN_SECONDS: '0' })
  await (await fetch(`${url}/api/v1/post`)).arrayBuffer()
  await server.stop()
  await expect(fetch(`${url}/api/v1/post`)).rejects.toThrow('fetch failed')
  // SQLite removes the write-ahead log when the last connection closes.
  const left = ['auth-secret', 'rangoli.db', 'rangoli.db.lock']
  expect((await readdir(path.join(folder, 'data'))).sort()).toEqual(left)
})
