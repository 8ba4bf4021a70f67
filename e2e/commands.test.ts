import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runHosted, startHostedServer } from './support/hosted-server.ts'
import { launch, makeFolder, startServer } from './support/server-process.ts'

async function freshFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  return folder.path
}

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
  const folder = await freshFolder()
  const backups = path.join(await freshFolder(), 'backups')
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

/** Runs the command, in another process than that of the server, expects it to succeed, and returns its lines. */
async function account(folder: string, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runHosted(folder, ['account', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}

test('manages accounts of a running server, with immediate effect', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  onTestFinished(async () => void (await server.stop()))

  const signIn = (password: string) =>
    fetch(`${server.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify({ email: 'asha@example.org', password }),
    })
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
  const viewer = async (cookie: string) => {
    const answer = await fetch(`${server.url}/trpc/viewer`, { headers: { cookie } })
    return ((await answer.json()) as { result: { data: unknown } }).result.data
  }

  const [sentence, first = ''] = await account(folder, 'add', 'asha@example.org', '--name', 'आशा राव')
  expect(sentence).toMatch(/shown only now/)
  const signedIn = await signIn(first)
  expect(signedIn.status).toBe(200)
  expect(await viewer(cookieOf(signedIn))).toMatchObject({ firstName: 'आशा' })

  const [, second = ''] = await account(folder, 'reset-password', 'asha@example.org')
  expect(await viewer(cookieOf(signedIn))).toBeNull()
  const again = cookieOf(await signIn(second))
  await account(folder, 'make-admin', 'Asha@Example.org')
  expect(await viewer(again)).toMatchObject({ role: 'administrator' })
  expect((await account(folder, 'list'))[1]).toMatch(/^asha@example\.org {2}administrator .* आशा राव$/)

  const unconfirmed = await launch(folder, ['account', 'delete', 'asha@example.org']).finished
  expect({ code: unconfirmed.code, stdout: unconfirmed.stdout }).toEqual({ code: 1, stdout: '' })
  expect(unconfirmed.stderr).toMatch(/^[^\n]*--yes[^\n]*\n$/)
  await account(folder, 'delete', 'asha@example.org', '--yes')
  expect(await viewer(again)).toBeNull()
  expect(await account(folder, 'list')).toHaveLength(1)

  const { stdout, stderr } = await server.stop()
  for (const secret of [first, second]) expect(stdout + stderr).not.toContain(secret)
})

test('the doctor exits with 0 without problems, and leaves the folder as it was', async () => {
  const folder = await freshFolder()
  const { code, stdout, stderr } = await launch(folder, ['doctor']).finished
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Environment\n {2}ok {7}Node v\d+/)
  expect(stdout).toMatch(/\n\nNo problems, \d+ notes?\.\n$/)
  expect(await readdir(folder)).toEqual([])
})

test('the doctor checks the way to a running server', async () => {
  const folder = await freshFolder()
  const server = await startHostedServer(folder, { PORT: '0' })
  onTestFinished(server.stop)
  const { code, stdout } = await runHosted(folder, ['doctor'], { PUBLIC_URL: server.url })
  expect(code).toBe(0)
  expect(stdout).toContain('Its schema is up to date.')
  expect(stdout).toContain('which only its owner may read.')
  expect(stdout).toContain('Streams arrive piece by piece.')
  expect(stdout).toContain('The server recognizes that address as its own.')
})
