import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { tempFolder } from '../support/folder.ts'
import { startTestServer } from '../support/test-server.ts'
import { smallDisk } from './disks.ts'

test('a backup to a full disk fails with one line and leaves earlier backups unchanged', async () => {
  const disk = await smallDisk()
  const backups = path.join(disk.folder, 'backups')
  const server = await startTestServer()
  const asha = await server.signUp()
  const share = async (prompt: string) => {
    const image = await asha.generate(prompt)
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id })
  }
  const take = () => runCommand(server.directory, ['backup', backups])
  await share('A lotus')
  expect((await take()).error).toBeNull()
  const before = await readdir(backups, { recursive: true })
  await share('A kite')

  disk.fill()
  const { error, printed } = await take()
  expect(error).toMatch(/^No backup was made in [^\n]+; earlier backups are unchanged: [^\n]+\.$/)
  expect(printed).toEqual([])
  expect((await readdir(backups, { recursive: true })).sort()).toEqual(before.sort())

  disk.freeSpace()
  const folder = await tempFolder()
  expect((await runCommand(folder, ['restore', backups])).error).toBeNull()
  expect((await runCommand(folder, ['verify'])).error).toBeNull()
  expect((await take()).error).toBeNull()
})

test('a restore to a full disk fails with one line, changes nothing and can be repeated', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  await asha.generate('A lotus')
  const backups = path.join(await tempFolder(), 'backups')
  await runCommand(server.directory, ['backup', backups])

  const disk = await smallDisk()
  const put = () => runCommand(disk.folder, ['restore', backups])
  disk.fill()
  expect((await put()).error).toMatch(/^The backup was not restored: [^\n]+\.$/)
  disk.freeSpace()
  expect((await put()).error).toBeNull()
  expect((await runCommand(disk.folder, ['verify'])).error).toBeNull()
})
