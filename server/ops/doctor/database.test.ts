import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { parseConfig } from '../../config/config.ts'
import { makeAccount } from '../../../test/support/accounts.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { createFormerDatabase } from '../../../test/support/older-database.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { checkDatabase } from './database.ts'
import { linesOf } from '../../../test/support/doctor.ts'

async function check(folder: string): Promise<string[]> {
  return linesOf(checkDatabase(parseConfig({}, folder)))
}

const fileIn = (folder: string) => path.join(folder, 'data/rangoli.db')

async function folderWith(content: string): Promise<string> {
  const folder = await tempFolder()
  await mkdir(path.join(folder, 'data'))
  if (!content.startsWith('CREATE')) await writeFile(fileIn(folder), content)
  else new SqliteDatabase(fileIn(folder)).exec(content).close()
  return folder
}

test('counts what the database of a running server contains', async () => {
  const server = await startTestServer()
  const asha = await makeAccount(server)
  await asha.share('A lotus')
  expect(await check(server.directory)).toEqual([
    `ok: The database ${fileIn(server.directory)} holds 1 post, 1 image and 1 account, 0 administrators among them.`,
    'ok: Its schema is up to date.',
  ])
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })

  await rename(path.join(server.directory, 'uploads'), path.join(server.directory, 'elsewhere'))
  expect((await check(server.directory)).at(-1)).toMatch(
    /^problem: The uploads folder .*\/uploads has 0 of the 1 newest images of the database .*\. → Mount its disk/,
  )
})

test('notes the migrations of an older database, and does not run them', async () => {
  const folder = await tempFolder()
  await mkdir(path.dirname(fileIn(folder)), { recursive: true })
  ;(await createFormerDatabase(fileIn(folder))).close()
  const expected = [
    expect.stringMatching(/^ok: .* holds 0 posts, 0 images and 0 accounts, 0 administrators/),
    expect.stringMatching(
      /^note: The next start brings its schema up to date .*0034-baseline.* → It keeps a copy\.$/,
    ),
  ]
  expect(await check(folder)).toEqual(expected)
  expect(await check(folder)).toEqual(expected)
})

test.each([
  ['', /^ok: .* is empty/],
  ['This is no database. '.repeat(50), /^problem: .* \(file is not a database\)\. → .* restore a copy/],
  ['CREATE TABLE recipes (name)', /^problem: .* belongs to another program\. → To keep both, set DATABASE/],
  [
    "CREATE TABLE kysely_migration (name); INSERT INTO kysely_migration VALUES ('9999-from-the-future')",
    /^problem: .* newer version of Rangoli \(it has the migration 9999-from-the-future\)\. → Start that version/,
  ],
])('describes a file that is not a database of this site, %#', async (content, line) => {
  expect(await check(await folderWith(content))).toEqual([expect.stringMatching(line)])
})
