import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { damageTable } from '../../test/faults/database-errors.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { startGallery, startOwnGallery } from '../../test/support/gallery-site.ts'
import type { TestServer } from '../../test/support/test-server.ts'
import { runCommand } from '../../test/support/command.ts'

/** Runs `verify`, and returns what it printed without its progress, which depends on the time it takes. */
async function verify(server: TestServer, ...args: string[]) {
  const { printed, ...rest } = await runCommand(server.directory, ['verify', ...args])
  return { ...rest, printed: printed.filter((line) => !/^\d+ of \d+ images$/.test(line)) }
}

/** Changes the database as the sqlite3 program does. */
function tamper(server: TestServer, statements: string): void {
  const database = new SqliteDatabase(path.join(server.directory, 'data/rangoli.db'))
  database.unsafeMode()
  database.pragma('foreign_keys = OFF')
  database.exec(statements)
  database.close()
}

/** Expects an issue, and that --fix removes it. */
async function expectRepaired(server: TestServer, sentence: RegExp, issues = 1): Promise<void> {
  const found = await verify(server)
  expect(found.printed).toHaveLength(issues)
  expect(found.printed).toContainEqual(expect.stringMatching(sentence))
  expect(found.error).toMatch(/^\d issues? found\. npm run verify -- --fix repairs \d of them\.$/)
  const repaired = await verify(server, '--fix')
  expect(repaired.error).toBeNull()
  expect(repaired.printed).toContainEqual(expect.stringMatching(/: fixed\.$/))
  await expectSound(server)
}

async function expectSound(server: TestServer): Promise<void> {
  const { printed, error } = await verify(server)
  expect({ printed, error }).toEqual({ printed: ['No issues found.'], error: null })
}

const found = async (server: TestServer, search: string) =>
  (await server.client().posts.list.query({ search })).posts.map(({ prompt }) => prompt)

test('finds no issue in the data of a running server', async () => {
  const { server, asha } = await startGallery()
  const [post] = (await asha.trpc.posts.list.query()).posts
  await asha.trpc.posts.report.mutate({ id: post?.id ?? '', reason: 'other' })
  await asha.trpc.posts.delete.mutate({ id: post?.id ?? '' })
  await expectSound(server)
})

test('reports an image whose folder is missing, and keeps its post', async () => {
  const {
    server,
    folders: [lotus = ''],
  } = await startGallery()
  await rm(lotus, { recursive: true })
  for (const args of [[], ['--fix']]) {
    const { printed, error } = await verify(server, ...args)
    expect(printed).toEqual([
      expect.stringMatching(
        `^The original of the image .* in the folder ${path.basename(lotus)} is missing\\.$`,
      ),
    ])
    expect(error).toBe('1 issue found. Restore what is lost from a backup.')
  }
  expect(await found(server, 'lotus')).toEqual(['A lotus'])
  // An unreadable file ends the command; it is not reported as lost.
  await mkdir(path.join(lotus, 'original.jpg'), { recursive: true })
  expect((await verify(server)).error).toMatch(/^The data could not be verified: EISDIR: /)
})

test('recreates damaged thumbnails and uncropped copies, and accepts missing ones', async () => {
  const {
    server,
    folders: [lotus = '', kite = ''],
  } = await startGallery()
  await truncate(path.join(lotus, '640.webp'), 60)
  await writeFile(path.join(kite, '320.webp'), 'no image')
  await rm(path.join(kite, '640.webp'))
  await writeFile(path.join(kite, 'fit-1280.webp'), 'no image')
  await expectRepaired(server, /^The thumbnail 640\.webp of the image .* is damaged\.$/, 3)
})

test('moves an image that has been orphaned for an hour to quarantine, and ignores other files', async () => {
  const { server } = await startGallery()
  const uploads = path.join(server.directory, 'uploads')
  const anHourAgo = new Date(Date.now() - 61 * 60_000)
  for (const [name, isOld] of [
    ['old', true],
    ['new', false],
  ] as const) {
    const folder = path.join(uploads, name.padEnd(22, '_'))
    await mkdir(folder)
    if (isOld) await utimes(folder, anHourAgo, anHourAgo)
  }
  await writeFile(path.join(uploads, 'notes.txt'), 'mine')
  const unfinished = `.unfinished-${'half'.padEnd(22, '_')}`
  await mkdir(path.join(uploads, unfinished))
  await writeFile(path.join(uploads, unfinished, 'original.jpg'), 'half')
  await utimes(path.join(uploads, unfinished), anHourAgo, anHourAgo)
  await expectRepaired(server, /^The image old_+ is orphaned\.$/, 2)
  const quarantine = path.join(uploads, '.rangoli/quarantine')
  const [day = ''] = await readdir(quarantine)
  expect((await readdir(path.join(quarantine, day))).sort()).toEqual([unfinished, 'old'.padEnd(22, '_')])
  expect(await readFile(path.join(quarantine, day, unfinished, 'original.jpg'), 'utf8')).toBe('half')
  expect(await readdir(uploads)).toEqual(expect.arrayContaining(['new'.padEnd(22, '_'), 'notes.txt']))
})

test.each<[statements: string, issue: RegExp, issues?: number]>([
  [
    "UPDATE posts_trigrams_data SET block = x'00' WHERE id > 10",
    /^The database is damaged: .*posts_trigrams/,
  ],
  [
    "DELETE FROM posts_grams WHERE rowid = 1; DELETE FROM posts_trigrams WHERE rowid = 1; INSERT INTO posts_trigrams (rowid, text) VALUES (77, 'lotus')",
    /^The search index posts_trigrams lacks 1 post of the gallery, and contains 1 other\.$/,
    2,
  ],
  ['DELETE FROM gallery', /^The gallery counts/],
  ['INSERT INTO gallery (posts, changes) VALUES (1, 1)', /^The gallery counts/],
  [
    'UPDATE post_stats SET likes = 5 WHERE seq = 1',
    /^The likes or the visibility of posts are counted wrongly \(\d\)\.$/,
  ],
  ["INSERT INTO author_totals VALUES ('nobody', 1)", /^The posts of authors are counted wrongly \(\d\)\.$/],
  ['DELETE FROM day_totals', /^The posts of days are counted wrongly \(\d\)\.$/],
])('repairs lists and counts after %j', async (statements, issue, issues) => {
  const { server, asha } = await startGallery()
  // Responses to users are not cached.
  const { list } = asha.trpc.posts
  const [post] = (await list.query({ search: 'lotus' })).posts
  await asha.trpc.posts.like.mutate({ id: post?.id ?? '' })
  const lists = () =>
    Promise.all([
      list.query({ sort: 'top', period: 'week' }),
      list.query({ sort: 'top', authorId: asha.id }),
      list.query({ search: 'lotus' }),
      list.query({ search: 'lo' }),
    ])
  const before = await lists()
  expect(before[0]).toMatchObject({ posts: [{ id: post?.id, likeCount: 1 }, { likeCount: 0 }] })
  expect(before.map(({ total }) => total)).toEqual([2, 2, 1, 1])
  tamper(server, statements)
  await expectRepaired(server, issue, issues)
  expect(await lists()).toEqual(before)
})

test('recreates a dropped trigger and index, and repairs what went wrong without them', async () => {
  const { server } = await startGallery()
  tamper(server, 'DROP TRIGGER posts_changed; DROP INDEX images_owner')
  tamper(server, "UPDATE posts SET hidden_at = NULL WHERE prompt = 'A lotus'")
  const { printed } = await verify(server, '--fix')
  expect(printed).toEqual([
    'The database has no index images_owner: fixed.',
    'The database has no trigger posts_changed: fixed.',
    'The search index posts_trigrams lacks 1 post of the gallery, and contains 0 others: fixed.',
    'The gallery counts 1 posts instead of 2: fixed.',
    'The posts of authors are counted wrongly (1): fixed.',
    'The posts of days are counted wrongly (1): fixed.',
    '6 issues found and fixed.',
  ])
  await expectSound(server)
  expect(await found(server, 'lotus')).toEqual(['A lotus'])
})

test('reports a missing table', async () => {
  const { server } = await startGallery()
  tamper(server, 'DROP TABLE reports')
  const { printed, error } = await verify(server)
  expect(printed[0]).toBe('The database has no table reports.')
  expect(error).toMatch(/^\d issues found\./)
})

test('updates the search text of a prompt that was changed by hand', async () => {
  const { server } = await startGallery()
  tamper(server, "UPDATE posts SET prompt = 'A peacock' WHERE prompt = 'A lotus'")
  await expectRepaired(server, /^The search text of the post .* is outdated\.$/)
  expect(await found(server, 'peacock')).toEqual(['A peacock'])
  expect(await found(server, 'lotus')).toEqual([])
})

test('deletes a dangling row, with a copy, if the foreign key cascades, and otherwise reports it', async () => {
  const { server } = await startGallery()
  tamper(server, "INSERT INTO post_likes (post_id, user_id, created_at) VALUES ('none', 'asha', 0)")
  await expectRepaired(server, /^Rows of post_likes reference a missing row of posts\.$/)
  const copy = await readFile(path.join(server.directory, 'data/rangoli-removed-rows.jsonl'), 'utf8')
  expect(JSON.parse(copy)).toMatchObject({ table: 'post_likes', row: { post_id: 'none', user_id: 'asha' } })
  tamper(server, "UPDATE posts SET image_id = 'none' WHERE prompt = 'A kite'")
  const { printed, error } = await verify(server, '--fix')
  expect(printed).toEqual(['Row 2 of posts references a missing row of images.'])
  expect(error).toMatch(/^1 issue found/)
})

test('rebuilds a damaged index, and reports nothing else if a table is damaged', async () => {
  const { server } = await startGallery()
  await server.services.db.destroy()
  const file = path.join(server.directory, 'data/rangoli.db')
  const broken = new SqliteDatabase(file)
  broken.unsafeMode()
  broken.exec(`
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '(owner_id, seq)', '(prompt, seq)') WHERE name = 'images_owner'`)
  broken.close()
  const { printed } = await verify(server)
  expect(printed).toEqual([expect.stringMatching(/^The database is damaged: .*images_owner/)])
  expect((await verify(server, '--fix')).error).toBeNull()
  await expectSound(server)

  await damageTable(file, 'daily_usage')
  const damaged = await verify(server, '--fix')
  expect(damaged.error).toMatch(/^1 issue found|^The data could not be verified: /)
})

test('reports missing and outdated data in one line, and changes nothing', async () => {
  const folder = await tempFolder()
  const error = async () => (await runCommand(folder, ['verify'])).error
  expect(await error()).toMatch(/^There is nothing to verify: .* does not exist\.$/)
  expect(await readdir(folder)).toEqual([])
  await mkdir(path.join(folder, 'data'))
  const file = path.join(folder, 'data/rangoli.db')
  new SqliteDatabase(file).close()
  expect(await error()).toMatch(
    /^The uploads folder .* does not exist\. Mount it, or create a new one with --fix\.$/,
  )
  await mkdir(path.join(folder, 'uploads'))
  expect(await error()).toMatch(/is of an earlier version/)
})

test('asks before it ties an uploads folder to another database, and changes nothing after a no', async () => {
  const { server } = await startGallery()
  const { server: other } = await startOwnGallery()
  const env = { UPLOADS_DIR: path.join(other.directory, 'uploads') }
  const inUse = async () => (await runCommand(other.directory, ['verify'])).error
  expect((await runCommand(server.directory, ['verify'], { env })).error).toMatch(
    /^UPLOADS_DIR and DATABASE_URL: the uploads folder .* belongs to another database than .*\.$/,
  )
  const no = await runCommand(server.directory, ['verify', '--fix'], { env, answer: false })
  expect(no).toMatchObject({ printed: ['Nothing was changed.'], error: null })
  expect(no.questions).toEqual([
    expect.stringMatching(
      /^The uploads folder .* belongs to .*\. Use them together from now on\? \[y\/N\] $/,
    ),
  ])
  expect(await inUse()).toBeNull()
  const yes = await runCommand(server.directory, ['verify', '--fix'], { env, answer: true })
  expect(yes.error).toBeNull()
  expect(await inUse()).toMatch(/belongs to another database/)
})

test('prints three issues of a kind and counts the others, unless --all is given', async () => {
  const { server, folders } = await startGallery()
  for (const folder of folders) {
    for (const file of await readdir(folder))
      if (file.endsWith('.webp')) await truncate(path.join(folder, file), 20)
  }
  const all = await verify(server, '--all')
  expect(all.printed.length).toBeGreaterThan(4)
  const { printed, error } = await verify(server)
  expect(printed).toEqual([
    ...all.printed.slice(0, 3),
    `${all.printed.length - 3} more like: ${all.printed[0]}`,
  ])
  expect(error).toBe(all.error)
})
