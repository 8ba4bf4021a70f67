import { expect, onTestFinished, test } from 'vitest'
import { runHosted } from './support/hosted-server.ts'
import { launch, makeFolder, startServer } from './support/server-process.ts'

async function freshFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  return folder.path
}

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
