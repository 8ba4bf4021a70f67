import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { generateApiKey } from '../server/access/api-keys.ts'
import { runHosted, startHostedServer } from './support/hosted-server.ts'
import { tempFolder } from '../test/support/folder.ts'

const root = path.resolve(import.meta.dirname, '..')

/** What operators run, in an order in which each command finds what it needs. */
const documented = [
  'seed',
  'account add ',
  'account',
  'verify',
  'doctor',
  'backup',
  'account delete',
  'restore',
]

/** Commands of the README and the guides that begin with one of `documented`, in its order, without comments and `--yes`. */
function documentedCommands(): string[] {
  const guides = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'))
  const pages = ['README.md', ...guides.map((name) => `docs/${name}`)]
  const text = pages.map((page) => readFileSync(path.join(root, page), 'utf8')).join('\n')
  const lines = [...text.matchAll(/^\s*npm run ([a-z]+.*?)\s*(?:#.*)?$/gm)].map(([, line = '']) =>
    line.replace(' -- ', ' ').replace(' --yes', ''),
  )
  const rank = (line: string) => documented.findLastIndex((start) => line.startsWith(start))
  const found = [...new Set(lines)].filter((line) => rank(line) >= 0)
  return found.toSorted((a, b) => rank(a) - rank(b))
}

test('every documented command works, beside a running server but for restore', async () => {
  const folder = await tempFolder()
  const backups = path.join(await tempFolder(), 'backups')
  const server = await startHostedServer(folder, { PORT: '0' })
  onTestFinished(server.stop)
  const commands = documentedCommands()
  for (const start of documented) expect(commands.filter((line) => line.startsWith(start))).not.toEqual([])
  for (const line of commands) {
    const words = line.match(/"[^"]*"|\S+/g) ?? []
    const args = words.map((word) =>
      word
        .replaceAll('"', '')
        .replace(/^\/mnt\/\S+$/, backups)
        // Each image takes a tenth of a second.
        .replace(/^\d{3,}$/, '2'),
    )
    // Of a backup that this site does not have; and an API key, which no output of a test may contain.
    if (args.includes('--backup') || args.includes('add-key')) continue
    const isRestore = args[0] === 'restore'
    if (isRestore) await server.stop()
    // Nobody is at the terminal.
    if (isRestore || args[1] === 'delete') args.push('--yes')
    const { code, stderr } = await runHosted(folder, args)
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' })
  }
})

const env = {
  API_TOKEN: 'secret-of-the-api-0123456789',
  METRICS_TOKEN: 'secret-of-the-metrics-0123456789',
  AUTH_SECRET: 'secret-of-the-sessions-0123456789abcdef',
  OPENAI_API_KEY: 'sk-secret-of-the-provider-0123456789',
  // A closed port, so that generations fail and are logged with their cause.
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
}

/** Must stay secret even if it is not valid here. */
const apiKey = generateApiKey()
const secrets = [...Object.values(env), apiKey]

test('reveals no secret in a page, a response, an error or the log', async () => {
  const server = await startHostedServer(await tempFolder(), { PORT: '0', ...env, LOG_LEVEL: 'debug' })
  const bearer = { authorization: `Bearer ${env.API_TOKEN}`, 'content-type': 'application/json' }
  const post = (address: string, body: string, headers: Record<string, string> = bearer) =>
    fetch(server.url + address, { method: 'POST', headers, body })
  const responses = await Promise.all([
    fetch(`${server.url}/`),
    fetch(`${server.url}/create-post`),
    fetch(`${server.url}/nowhere`),
    fetch(`${server.url}/api/v1/post`),
    fetch(`${server.url}/readyz`),
    fetch(`${server.url}/metrics`),
    fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${env.METRICS_TOKEN}` } }),
    fetch(`${server.url}/trpc/viewer`, { headers: bearer }),
    fetch(`${server.url}/trpc/viewer`, { headers: { authorization: `Bearer ${env.AUTH_SECRET}` } }),
    fetch(`${server.url}/trpc/viewer`, { headers: { authorization: `Bearer ${apiKey}` } }),
    fetch(`${server.url}/api/v1/post?limit=${apiKey}`),
    post(`/api/v1/imgGenerate?token=${apiKey}`, '{"prompt":"A lamp"}', {}),
    post('/api/v1/imgGenerate', '{"prompt":"A lamp"}'),
    post('/api/v1/imgGenerate', '{"prompt":'),
    post('/api/v1/post', '{"prompt":"A lamp","photo":"data:image/png;base64,AAAA"}'),
    post('/api/auth/sign-in/email', '{}', { 'content-type': 'application/json', origin: server.url }),
  ])
  for (const response of responses) {
    const output = JSON.stringify([...response.headers]) + (await response.text())
    for (const secret of secrets) expect(output).not.toContain(secret)
  }
  // Also checks the output of the server.
  await server.stop()
  expect(server.errors()).toContain('a generation failed')
})
