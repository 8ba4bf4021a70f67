import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { backup } from '../../server/cli/backup.ts'
import { checkDataCommand } from '../../server/cli/verify.ts'
import { restore } from '../../server/cli/restore.ts'
import { runCommand } from '../support/command.ts'
import { tempFolder } from '../support/folder.ts'
import { startTestServer } from '../support/test-server.ts'
import { smallDisk } from './small-disk.ts'

test('a backup to a full disk ends with one line, and the one before is as it was', async () => {
  const disk = await smallDisk()
  const backups = path.join(disk.folder, 'backups')
  const server = await startTestServer()
  const asha = await server.signUp()
  const share = async (prompt: string) => {
    const image = await asha.generate(prompt)
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id })
  }
  const take = () => runCommand(backup, server.directory, [backups])
  await share('A lotus')
  expect((await take()).refusal).toBeNull()
  const before = await readdir(backups, { recursive: true })
  await share('A kite')

  disk.fill()
  const { refusal, printed } = await take()
  expect(refusal).toMatch(/^No backup was made into [^\n]+; earlier ones are as they were: [^\n]+\.$/)
  expect(printed).toEqual([])
  expect((await readdir(backups, { recursive: true })).sort()).toEqual(before.sort())

  disk.reserveSpace()
  const folder = await tempFolder()
  expect((await runCommand(restore, folder, [backups])).refusal).toBeNull()
  expect((await runCommand(checkDataCommand, folder, [])).refusal).toBeNull()
  expect((await take()).refusal).toBeNull()
})

test('a restore to a full disk ends with one line, changes nothing, and can be repeated', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  await asha.generate('A lotus')
  const backups = path.join(await tempFolder(), 'backups')
  await runCommand(backup, server.directory, [backups])

  const disk = await smallDisk()
  const put = () => runCommand(restore, disk.folder, [backups])
  disk.fill()
  expect((await put()).refusal).toMatch(/^The backup was not restored: [^\n]+\.$/)
  disk.reserveSpace()
  expect((await put()).refusal).toBeNull()
  expect((await runCommand(checkDataCommand, disk.folder, [])).refusal).toBeNull()
})
