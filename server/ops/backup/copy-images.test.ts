import { appendFile, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { copyDatabase, integrityIssues } from '../../db/sqlite/maintenance.ts'
import { withExistingDatabase } from '../../db/schema-version.ts'
import { plainJpeg } from '../../../test/support/engine.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { dataUrl } from '../../../test/support/images.ts'
import { uploadsIn } from '../../../test/support/site.ts'
import { copyImage } from '../copy-images.ts'
import { folderPlace } from '../site-storage.ts'
import { copyLiveImages } from './backup.ts'

test('deletes images from the copy that were deleted after the database was copied', async () => {
  const server = await startTestServer()
  const { db: live } = server.services
  const asha = await server.signUp()
  const [kept, gone] = [await asha.generate('A lotus'), await asha.generate('A kite')]
  const share = (prompt: string, imageId: string) =>
    asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })
  await share('A lotus', kept.id)
  await share('A kite', gone.id)
  await share('A kite again', gone.id)
  const photo = dataUrl(await plainJpeg('a photo'))
  const upload = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A photo', photo })

  const folder = await tempFolder()
  const file = path.join(folder, 'copy.db')
  await copyDatabase(live, file, 0o600)
  await asha.trpc.images.delete.mutate({ id: gone.id })
  await asha.trpc.images.deletePermanently.mutate({ id: gone.id })
  await asha.trpc.posts.delete.mutate({ id: upload.id })
  const late = await asha.generate('A tiger, later than the copy')

  const [from, to] = [path.join(server.directory, 'uploads'), path.join(folder, 'pictures')]
  await mkdir(to)
  const checksums = await open(path.join(folder, 'sums'), 'w')
  const reported: number[][] = []
  await withExistingDatabase(file, async ({ db: snapshot }) => {
    const report = (...progress: number[]) => void reported.push(progress)
    const copied = await copyLiveImages(live, snapshot, checksums, { from, to: folderPlace(to), report })
    expect(copied).toEqual({ images: 1, copied: 1, lost: [] })
    const posts = await snapshot.selectFrom('posts').select('prompt').execute()
    expect(posts).toEqual([{ prompt: 'A lotus' }])
    expect(await snapshot.selectFrom('images').select('id').execute()).toEqual([{ id: kept.id }])
    expect(await snapshot.selectFrom('gallery').select('posts').execute()).toEqual([{ posts: 1 }])
    expect(await integrityIssues(snapshot)).toEqual([])
  })
  await checksums.close()
  const folderOf = (url: string) => path.basename(path.dirname(url))
  expect(await readdir(to)).toEqual([folderOf(kept.photo)])
  expect(await readdir(from)).toContain(folderOf(late.photo))
  expect(await readFile(path.join(folder, 'sums'), 'utf8')).toContain(`pictures/${folderOf(kept.photo)}/`)
  expect(reported).toEqual([[3, 3]])
})

test('reports an image as lost whose files are replaced meanwhile, and keeps its posts', async () => {
  const server = await startTestServer()
  const { db: live } = server.services
  const asha = await server.signUp()
  const { id } = await asha.generate('A lotus')
  await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: id })
  const folder = await tempFolder()
  const file = path.join(folder, 'copy.db')
  await copyDatabase(live, file, 0o600)
  const [from, to] = [path.join(server.directory, 'uploads'), path.join(folder, 'pictures')]
  const [name = ''] = await uploadsIn(server.directory)
  await live.updateTable('images').set({ folder: 'elsewhere' }).where('id', '=', id).execute()
  await rm(path.join(from, name), { recursive: true })
  await mkdir(to)
  const checksums = await open(path.join(folder, 'sums'), 'w')
  await withExistingDatabase(file, async ({ db: snapshot }) => {
    const copied = await copyLiveImages(live, snapshot, checksums, { from, to: folderPlace(to), report() {} })
    expect(copied).toEqual({ images: 0, copied: 0, lost: [name] })
    expect(await snapshot.selectFrom('posts').select('prompt').execute()).toEqual([{ prompt: 'A lotus' }])
  })
  await checksums.close()
})

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
  const copy = (compareBy: 'size' | 'checksum' = 'size') => copyImage(from, folderPlace(to), image, compareBy)
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
    expect(await copyImage(from, folderPlace(to), { folder, sha256: '' }, 'checksum')).toBe('damaged')
    expect(await readdir(to)).toEqual([])
  },
)
