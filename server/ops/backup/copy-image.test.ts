import { appendFile, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { copyImage } from './copy-image.ts'

test('copies an image once, repairs a damaged copy, and never replaces it by a damaged one', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  await asha.generate('A lotus')
  const row = await server.services.db
    .selectFrom('images')
    .select(['id', 'folder', 'sha256'])
    .executeTakeFirstOrThrow()
  const image = { id: row.id, folder: row.folder ?? '', sha256: row.sha256 ?? '' }
  const [from, to] = [path.join(server.directory, 'uploads'), await tempFolder()]
  const copy = (compareBy: 'size' | 'checksum' = 'size') => copyImage(from, to, image, compareBy)
  const original = (directory: string) => path.join(directory, image.folder, 'original.jpg')

  expect(await copy()).toBe('copied')
  expect((await readdir(path.dirname(original(to)))).sort()).toEqual([
    '320.webp',
    '480.webp',
    '640.webp',
    'original.jpg',
  ])
  expect(await copy()).toBe('present')
  await appendFile(original(to), 'x')
  expect(await copy()).toBe('copied')
  expect(await readFile(original(to))).toEqual(await readFile(original(from)))
  await appendFile(original(from), 'x')
  expect(await copy()).toBe('present')
  expect(await copy('checksum')).toBe('present')
  await appendFile(original(to), 'x')
  expect(await copy('checksum')).toBe('damaged')
  await rm(path.dirname(original(to)), { recursive: true })
  expect(await copy()).toBe('damaged')
  await rm(path.dirname(original(from)), { recursive: true })
  expect(await copy()).toBe('missing')
  expect(await readdir(to)).toEqual([])
})

test.each(['../escape', '', '.', 'a/b', `${'x'.repeat(21)}/`])(
  'rejects the folder name %j of a manipulated backup',
  async (folder) => {
    const [from, to] = [await tempFolder(), await tempFolder()]
    expect(await copyImage(from, to, { id: 'i', folder, sha256: '' }, 'checksum')).toBe('damaged')
    expect(await readdir(to)).toEqual([])
  },
)
