import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../config/config.ts'
import { smallDisk } from '../../../test/faults/disks.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { checkFolders } from './folders.ts'
import { linesOf } from '../../../test/support/doctor.ts'

test('reports a full disk', async () => {
  const disk = await smallDisk()
  const folder = path.join(disk.folder, 'uploads')
  await mkdir(folder)
  disk.fill()
  const lines = await linesOf(checkFolders(parseConfig({ UPLOADS_DIR: folder }, await tempFolder())))
  expect(lines.filter((line) => line.startsWith('problem'))).toEqual([
    expect.stringMatching(/^problem: The uploads folder .*(cannot be written|0 bytes of free space)/),
  ])
  disk.freeSpace()
  expect(await readdir(folder)).toEqual([])
})
