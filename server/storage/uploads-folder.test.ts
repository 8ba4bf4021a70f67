import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { readSiteId, writeSiteId } from './uploads-folder.ts'

const [one, other] = ['1'.repeat(32), '2'.repeat(32)]

test('reads the id that was written last and leaves no other files', async () => {
  const uploads = path.join(await tempFolder(), 'new/uploads')
  expect(await readSiteId(uploads)).toBeNull()
  for (const id of [one, other]) {
    await writeSiteId(uploads, id)
    expect(await readSiteId(uploads)).toBe(id)
  }
  expect(await readdir(path.join(uploads, '.rangoli'))).toEqual(['site-id'])
})

test('replaces a link instead of following it', async () => {
  const uploads = await tempFolder()
  const victim = path.join(await tempFolder(), 'victim')
  await writeFile(victim, one)
  await mkdir(path.join(uploads, '.rangoli'))
  const file = path.join(uploads, '.rangoli/site-id')
  await symlink(victim, file)
  expect(await readSiteId(uploads)).not.toBe(one)
  await writeSiteId(uploads, other)
  expect(await readFile(victim, 'utf8')).toBe(one)
  expect((await lstat(file)).isFile()).toBe(true)
})

test('rejects a link in place of the hidden folder', async () => {
  const uploads = await tempFolder()
  const elsewhere = await tempFolder()
  await symlink(elsewhere, path.join(uploads, '.rangoli'))
  await expect(writeSiteId(uploads, one)).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/^UPLOADS_DIR: .* must be a folder, not a link\. Move it away\.$/),
  })
  expect(await readdir(elsewhere)).toEqual([])
})

test('reads an invalid file as the id of no site', async () => {
  const uploads = await tempFolder()
  await mkdir(path.join(uploads, '.rangoli/site-id'), { recursive: true })
  expect(await readSiteId(uploads)).toBe('unreadable')
})
