import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runHosted, startHostedServer } from './support/hosted-server.ts'
import { launch, makeFolder } from './support/server-process.ts'

async function freshFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  return folder.path
}

test('exits with 0 without problems, and leaves the folder as it was', async () => {
  const folder = await freshFolder()
  const { code, stdout, stderr } = await launch(folder, ['doctor']).finished
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Environment\n {2}ok {7}Node v\d+/)
  expect(stdout).toMatch(/\n\nNo problems, \d+ notes?\.\n$/)
  expect(await readdir(folder)).toEqual([])
})

test('checks the way to a running server', async () => {
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

test('reports an invalid environment and exits with 1', async () => {
  const folder = await freshFolder()
  const { code, stdout, stderr } = await runHosted(folder, ['doctor'], { PORT: 'x', AUTH: 'ldap' })
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatch(/ {2}problem {2}PORT: must be .*\n {11}Fix: /)
  expect(stdout).toMatch(/ {2}problem {2}AUTH: must be local or clerk\.\n/)
  expect(stdout).toMatch(/\n2 problems, 1 note\.\n$/)
  expect(await readdir(folder)).toEqual([])
})

test('exits with 1 for a problem of a later section', async () => {
  const folder = await freshFolder()
  await mkdir(path.join(folder, 'data'))
  await writeFile(path.join(folder, 'data/rangoli.db'), 'This is no database. '.repeat(50))
  const { code, stdout } = await launch(folder, ['doctor']).finished
  expect(code).toBe(1)
  expect(stdout).toContain('cannot be read (file is not a database)')
  expect(stdout).toMatch(/\n1 problem, \d+ notes?\.\n$/)
})

test('generates no image that may cost money without a terminal to confirm at', async () => {
  const env = { OPENAI_API_KEY: 'sk-secret-1234567890abcdef', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  const { code, stdout } = await runHosted(await freshFolder(), ['doctor'], env)
  expect(code).toBe(1)
  expect(stdout).toMatch(/ {2}problem {2}127\.0\.0\.1:9 cannot be reached \(\w+\)\.\n/)
  expect(stdout).not.toContain('[y/N]')
})
