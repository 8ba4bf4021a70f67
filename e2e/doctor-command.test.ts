import { readdir } from 'node:fs/promises'
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
