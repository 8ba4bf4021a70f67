import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launch } from './support/server-process.ts'
import { signUp } from './support/user.ts'
import {
  giveTo,
  inventory,
  makeReadOnly,
  makeWritable,
  openFolder,
  spawnUnprivileged,
} from './support/unprivileged.ts'

const root = path.resolve(import.meta.dirname, '..')
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '')

/** Arguments of the Dockerfile's instructions of a name, in order. */
const argumentsOf = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, rest = '']) => rest)

/** Words of an instruction in exec form, which runs without a shell. */
function wordsOf(name: string): string[] {
  const [rest = ''] = argumentsOf(name)
  return JSON.parse(rest.slice(rest.indexOf('['))) as string[]
}

/** Files and folders that are copied from the build context. */
const copied = argumentsOf('COPY')
  .filter((rest) => !rest.startsWith('--from'))
  .flatMap((rest) => rest.split(' ').slice(0, -1))
const variables = argumentsOf('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=')))
const [entrypoint, health] = [wordsOf('ENTRYPOINT'), wordsOf('HEALTHCHECK')]

/** Time that a build may take while other tests use the processors. */
const buildMs = 180_000

const folder = mkdtempSync(path.join(tmpdir(), 'rangoli-image-'))
/** What the Dockerfile copies, which was never built. */
const sources = path.join(folder, 'build')
const app = path.join(folder, 'app')
const data = path.join(folder, 'data')

beforeAll(() => {
  openFolder(folder)
  for (const name of copied) {
    cpSync(path.join(root, name), path.join(sources, name), {
      recursive: true,
      // As .dockerignore does.
      filter: (file) => !/^node_modules|\.test\.tsx?$/.test(path.basename(file)),
    })
  }
  // Instead of `npm ci`, which would install the same packages.
  symlinkSync(path.join(root, 'node_modules'), path.join(sources, 'node_modules'))
})

afterAll(() => {
  makeWritable(folder)
  rmSync(folder, { recursive: true, force: true })
})

test(
  'npm start builds what was copied, and serves from a process that has not built',
  { timeout: buildMs },
  async () => {
    const site = path.join(folder, 'site')
    mkdirSync(site, { recursive: true })
    const token = 'a-token-to-read-metrics-with'
    const launcher = path.join(sources, 'server/launch.mjs')
    const server = launch(site, ['serve'], { METRICS_TOKEN: token }, launcher)
    onTestFinished(() => void server.child.kill('SIGKILL'))
    await expect
      .poll(server.output, { timeout: buildMs })
      .toMatch(/^Building …\n.* is at http:\/\/\S+[\s\S]*uploads/)
    const url = /http:\/\/\S+/.exec(server.output())?.[0] ?? ''
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(await answer.text())?.[1])
    // A server that has also built holds up to 1.1 GB, one that has not 115 MB.
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(bytes).toBeLessThan(300_000_000)
    server.child.kill('SIGTERM')
    expect(await server.finished).toMatchObject({ code: 0 })
    expect(readdirSync(path.join(sources, 'dist'))).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)])
  },
)

/** Runs a command of the image without privileges, with a temporary volume and port. */
function run(words: readonly string[], port = 0) {
  const env = Object.fromEntries(
    variables.map(([name = '', value = '']) => [name, value.replace('/data', data)]),
  )
  const child = spawnUnprivileged(
    words.map((word) => word.replace('/app/', `${app}/`)),
    { cwd: app, env: { ...env, PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port) } },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, output: () => output }
}

test(
  'the packed server is small, serves, generates and stops, and writes to its volume only',
  { timeout: buildMs },
  async () => {
    mkdirSync(data, { recursive: true })
    giveTo(data)
    const pack = argumentsOf('RUN').find((rest) => rest.startsWith('node ')) ?? ''
    const args = pack.split(' ').map((word) => (word === '/app' ? app : word))
    execFileSync(process.execPath, args.slice(1), { cwd: sources, stdio: 'pipe' })
    rmSync(sources, { recursive: true })
    makeReadOnly(app)
    const names = readdirSync(app, { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => /^(?:client|server)\/.*\.tsx?$/.test(name))).toEqual([])
    const bytes = names.reduce((sum, name) => sum + statSync(path.join(app, name)).size, 0)
    expect(bytes).toBeLessThan(60_000_000)

    const before = inventory(app)
    const server = run([...entrypoint, ...wordsOf('CMD')])
    onTestFinished(() => void server.child.kill('SIGKILL'))
    await expect.poll(server.output, { timeout: 20_000 }).toMatch(/http:\/\/\S+[\s\S]*uploads/)
    const url = /http:\/\/\S+/.exec(server.output())?.[0] ?? ''
    const page = await (await fetch(url)).text()
    expect(page).toContain('Text-to-Image AI Generator')
    const [, script] = /data-files="([^ "]+)/.exec(page) ?? []
    expect((await fetch(url + script)).status).toBe(200)
    const asha = await signUp(url)
    const post = await asha.share('A lotus at dawn')
    expect((await fetch(url + post.photo)).headers.get('content-type')).toBe('image/jpeg')

    const port = Number(new URL(url).port)
    expect(await run(health, port).ended).toBe(0)
    // While the server runs, as with `docker compose exec`.
    const list = run([...entrypoint, 'account', 'list'])
    expect([await list.ended, list.output()]).toEqual([0, expect.stringContaining(asha.email)])
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(await run(health, port).ended).toBe(1)
    expect(inventory(app)).toEqual(before)
    expect(readdirSync(data).toSorted()).toEqual([
      'auth-secret',
      'rangoli.db',
      'rangoli.db.lock',
      'setup-code',
      'uploads',
    ])
  },
)
