import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../server/config/config.ts'
import { fencesOf, readPage, root } from './pages.ts'

const fences = fencesOf(readPage('docs/self-hosting.md'))
const codes = fences.map(({ code }) => code)

test.each(['examples/caddy/Caddyfile', 'examples/nginx/rangoli.conf', 'examples/systemd/rangoli.service'])(
  'docs/self-hosting.md quotes %s verbatim',
  (file) => {
    expect(codes).toContain(readPage(file))
  },
)

test('docs/scaling.md quotes examples/haproxy/haproxy.cfg verbatim', () => {
  const quoted = fencesOf(readPage('docs/scaling.md')).map(({ code }) => code)
  expect(quoted).toContain(readPage('examples/haproxy/haproxy.cfg'))
})

test('the settings in docs/self-hosting.md are valid', () => {
  const settings = codes.find((code) => code.startsWith('PUBLIC_URL='))?.trim() ?? ''
  const variables = Object.fromEntries(settings.split('\n').map((line) => line.split('=')))
  expect(parseConfig(variables, '/var/lib/rangoli')).toMatchObject({
    publicOrigin: 'https://gallery.example.org',
    proxyHops: 1,
    host: 'localhost',
    port: 3000,
    database: { kind: 'sqlite', file: '/var/lib/rangoli/data/rangoli.db' },
    storage: { directory: '/var/lib/rangoli/uploads' },
  })
})

test('the systemd unit waits for shutdown, runs node itself and allows JIT compilation', () => {
  const unit = readPage('examples/systemd/rangoli.service')
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  expect(setting('ExecStart')).toMatch(/^\/usr\/bin\/node \S+\/server\/main\.js serve$/)
  expect(Number(setting('TimeoutStopSec'))).toBeGreaterThan(parseConfig({}, '/').shutdownSeconds)
  expect(setting('MemoryDenyWriteExecute')).toBeUndefined()
})

test('every npm command in the documentation exists', () => {
  const scripts = Object.keys(JSON.parse(readPage('package.json')).scripts)
  const guides = readdirSync(path.join(root, 'docs')).filter((file) => file.endsWith('.md'))
  const pages = ['README.md', 'CONTRIBUTING.md', ...guides.map((file) => `docs/${file}`)]
  const named = pages.flatMap((page) =>
    [...readPage(page).matchAll(/\bnpm run (?:--silent )?([a-z:-]+)/g)].map(([, name]) => name),
  )
  expect(named.length).toBeGreaterThan(5)
  expect([...new Set(named)].filter((name) => !scripts.includes(name ?? ''))).toEqual([])
})
