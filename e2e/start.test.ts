import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { pathToFileURL } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { runHosted, startHostedServer, type CommandResult } from './support/hosted-server.ts'
import { launch, launcher, makeFolder, startServer } from './support/server-process.ts'

async function freshFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  return folder.path
}

/** Starts a server process that is expected to fail. */
async function startAndFail(folder: string, env: Record<string, string>): Promise<CommandResult> {
  const { child, finished } = launch(folder, ['serve'], env)
  onTestFinished(() => void child.kill('SIGKILL'))
  return finished
}

/** The line that a start failed with. */
function expectOneLine({ code, stdout, stderr }: CommandResult): string {
  expect(stderr.match(/\n/g)).toEqual(['\n'])
  expect(stderr).not.toMatch(/^\s+at /m)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  return stderr.trimEnd()
}

test('prints the address and the configuration at start', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  onTestFinished(() => void server.kill())
  expect(server.output().split('\n')).toEqual([
    `Rangoli is at ${server.url}`,
    expect.stringMatching(/^ {2}sign-in +local accounts, sign-up as chosen on the site$/),
    expect.stringMatching(/^ {2}image engine +rangoli$/),
    `  database      ${path.join(folder, 'data/rangoli.db')}`,
    `  uploads       ${path.join(folder, 'uploads')}`,
    '',
  ])
  expect((await fetch(server.url)).status).toBe(200)
  expect(server.errors()).toBe('')
  expect(await server.stop()).toMatchObject({ code: 0 })
})

test('stops on SIGINT as on SIGTERM', async () => {
  const server = await startServer(await freshFolder())
  expect((await fetch(server.url)).status).toBe(200)
  server.child.kill('SIGINT')
  expect(await server.finished).toMatchObject({ code: 0 })
})

test('listens on every address of localhost', async () => {
  const server = await startHostedServer(await freshFolder(), { HOST: 'localhost', PORT: '0' })
  onTestFinished(server.stop)
  expect((await fetch(server.url)).status).toBe(200)
  expect((await fetch(server.url.replace('localhost', '127.0.0.1'))).status).toBe(200)
})

test('reads .env in the working directory, which the environment overrides', async () => {
  const folder = await freshFolder()
  await writeFile(
    path.join(folder, '.env'),
    'SITE_NAME="From the file"\nSIGN_UP=closed\nUPLOADS_DIR=images\n',
  )
  const server = await startServer(folder, { SITE_NAME: 'From the environment' })
  onTestFinished(() => void server.kill())
  expect(await (await fetch(server.url)).text()).toContain(
    'From the environment — Text-to-Image AI Generator',
  )
  expect(server.output()).toContain('sign-up closed')
  expect(server.output()).toContain(path.join(folder, 'images'))
})

test('rejects a port in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  expect(expectOneLine(await startAndFail(await freshFolder(), { PORT: String(port) }))).toBe(
    `PORT: ${port} is already in use on 127.0.0.1; stop the other server or choose another port.`,
  )
})

test.each([
  { variable: 'DATABASE_URL', value: 'file:blocker/rangoli.db' },
  { variable: 'DATABASE_URL', value: 'file:blocker' },
  { variable: 'UPLOADS_DIR', value: 'blocker/uploads' },
  { variable: 'HOST', value: '203.0.113.7' },
])('rejects $variable=$value', async ({ variable, value }) => {
  const folder = await freshFolder()
  await writeFile(path.join(folder, 'blocker'), 'This is neither a folder nor a database. '.repeat(50))
  expect(expectOneLine(await runHosted(folder, ['serve'], { [variable]: value }))).toMatch(
    new RegExp(`^${variable}: .*\\.$`),
  )
})

test('rejects a database of a newer version', async () => {
  const folder = await freshFolder()
  await (await startHostedServer(folder)).stop()
  const db = new SqliteDatabase(path.join(folder, 'data/rangoli.db'))
  db.prepare(
    "INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-from-the-future', '2099-01-01')",
  ).run()
  db.close()
  expect(expectOneLine(await runHosted(folder, ['serve']))).toMatch(/^DATABASE_URL: .*newer version/)
})

test('reports every issue of the environment on a line of its own', async () => {
  const { code, stdout, stderr } = await startAndFail(await freshFolder(), {
    PORT: 'x',
    AUTH: 'clerk',
    CLERK_PUBLISHABLE_KEY: 'pk_test_nonsense',
    API_TOKEN: 'secret',
  })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  const lines = stderr.trimEnd().split('\n')
  const variables = lines.map((line) => line.split(':')[0])
  expect(new Set(variables)).toEqual(new Set(['PORT', 'API_TOKEN', 'CLERK_PUBLISHABLE_KEY']))
  expect(variables.length).toBe(3)
  expect(stderr).not.toContain('secret')
})

test.each([
  { args: ['--help'], says: /^Usage: npm start\n/, code: 0 },
  { args: ['build', '--help'], says: /^Usage: npm run build/, code: 0 },
  { args: ['pack', '--help'], says: /^Usage: node server\/launch\.mjs pack <folder>/, code: 0 },
  { args: ['serve', '--port', '5'], says: /^Unknown option '--port'; npm start -- --help/, code: 1 },
  {
    args: ['build', '--fast'],
    says: /^Unknown option '--fast'; node server\/launch\.mjs build --help shows the usage\.$/m,
    code: 1,
  },
])('answers $args without writing to the folder', async ({ args, says, code }) => {
  const folder = await freshFolder()
  const { stdout, stderr, code: ended } = await launch(folder, args, {}, launcher).finished
  expect(ended).toBe(code)
  expect(code === 0 ? stdout : stderr).toMatch(says)
  expect(code === 0 ? stderr : stdout).toBe('')
  expect(await readdir(folder)).toEqual([])
})

test('loads the clients of PostgreSQL, S3 and OpenAI only where they are configured', async () => {
  const folder = await freshFolder()
  const coverage = path.join(folder, 'coverage')
  // Node lists the scripts that a process has loaded.
  const server = await startServer(folder, { NODE_V8_COVERAGE: coverage })
  onTestFinished(() => void server.kill())
  expect((await fetch(server.url)).status).toBe(200)
  await server.stop()
  const loaded = new Set<string>()
  for (const file of await readdir(coverage)) {
    const { result } = JSON.parse(await readFile(path.join(coverage, file), 'utf8')) as {
      result: { url: string }[]
    }
    for (const { url } of result) loaded.add(url)
  }
  expect(loaded).toContain(pathToFileURL(inject('server')).href)

  const chunks = path.join(path.dirname(inject('server')), 'assets')
  const wordsOf = {
    pg: 'Client has encountered a connection error',
    s3: 'x-amz-content-sha256',
    openai: 'OPENAI_ADMIN_KEY',
  }
  for (const words of Object.values(wordsOf)) {
    const containing: string[] = []
    for (const name of await readdir(chunks)) {
      const file = path.join(chunks, name)
      if ((await readFile(file, 'utf8')).includes(words)) containing.push(pathToFileURL(file).href)
    }
    expect(containing).not.toEqual([])
    expect(containing.filter((url) => loaded.has(url))).toEqual([])
  }
})
