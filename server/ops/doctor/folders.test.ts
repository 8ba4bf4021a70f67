import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../config/config.ts'
import { smallDisk } from '../../../test/faults/disks.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { checkFolders } from './folders.ts'
import { linesOf } from '../../../test/support/doctor.ts'

async function check(folder: string, env: Record<string, string> = {}): Promise<string[]> {
  return linesOf(checkFolders(parseConfig(env, folder)))
}

/** Lines about free space, which the test cannot know. */
const isOfSpace = (line: string) => line.includes('free space')

test('leaves missing folders to the first start', async () => {
  const folder = await tempFolder()
  const lines = await check(folder)
  expect(lines.filter((line) => !isOfSpace(line))).toEqual([
    `ok: The data folder ${folder}/data does not exist yet; the first start creates it.`,
    `ok: The uploads folder ${folder}/uploads does not exist yet; the first start creates it.`,
    'ok: UPLOADS_MAX_BYTES is off: images may take as much as the disk has.',
  ])
  expect(lines.filter(isOfSpace)).toHaveLength(2)
  expect(await readdir(folder)).toEqual([])
})

test('reports a full disk', async () => {
  const disk = await smallDisk()
  const folder = path.join(disk.folder, 'uploads')
  await mkdir(folder)
  disk.fill()
  const lines = await check(await tempFolder(), { UPLOADS_DIR: folder })
  expect(lines.filter((line) => line.startsWith('problem'))).toEqual([
    expect.stringMatching(/^problem: The uploads folder .*(cannot be written|0 bytes of free space)/),
  ])
  disk.freeSpace()
  expect(await readdir(folder)).toEqual([])
})
