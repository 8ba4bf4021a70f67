import { chmod, mkdir, readdir, truncate, writeFile } from 'node:fs/promises'
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

test('notes data that other users of the machine can read, with the command that prevents it', async () => {
  const folder = await tempFolder()
  const [data, uploads] = [path.join(folder, 'data'), path.join(folder, 'uploads')]
  for (const place of [data, uploads]) await mkdir(place)
  const files = ['rangoli.db', 'rangoli.db-wal'].map((name) => path.join(data, name))
  for (const file of files) await writeFile(file, '')
  const readable = [...files, uploads]
  for (const place of readable) await chmod(place, 0o750)
  expect(await check(folder)).toContain(`ok: The uploads folder ${folder}/uploads can be written.`)
  expect(await readdir(uploads)).toEqual([])
  const notes = async () => (await check(folder)).filter((line) => line.includes('chmod'))
  expect(await notes()).toEqual(
    readable.map(
      (place) => `note: Other users of this machine can read ${place}. → Run: chmod go-rwx '${place}'`,
    ),
  )
  for (const place of readable) await chmod(place, 0o700)
  expect(await notes()).toEqual([])
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

test.each([
  [500, /^ok: Images take 500 KB of the 1\.0 MB that UPLOADS_MAX_BYTES allows\.$/],
  [1_000, /^note: Images take 1000 KB .* → Raise it soon\.$/],
  [1_024, /^problem: Images take 1\.0 MB .* → Raise it: new images are rejected\.$/],
])('compares %i KB of images with a limit of 1 MB', async (kilobytes, line) => {
  const folder = await tempFolder()
  await mkdir(path.join(folder, 'uploads/one'), { recursive: true })
  const file = path.join(folder, 'uploads/one/original.jpg')
  await writeFile(file, '')
  await truncate(file, kilobytes * 1024)
  expect((await check(folder, { UPLOADS_MAX_BYTES: '1M' })).at(-1)).toMatch(line)
})
