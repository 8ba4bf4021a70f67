import { appendFile, mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { thumbnailUrl } from '../../shared/image-files.ts'
import { jpegSegment, jumbfSegment, withSegments } from '../../test/support/openai/images.ts'
import { damageTable } from '../../test/faults/damage-table.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'
import { sha256 } from '../images/processing.ts'
import { checkDataCommand } from './verify.ts'
import { runCommand } from '../../test/support/command.ts'

/** A server with two shared images, whose folders it tells. */
async function startGallery() {
  const server = await startTestServer()
  const asha = await server.signUp()
  const folders: string[] = []
  for (const prompt of ['A lotus', 'A kite']) {
    const image = await asha.generate(prompt)
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id })
    folders.push(path.join(server.directory, path.dirname(image.photo)))
  }
  const [lotus = '', kite = ''] = folders
  return { server, asha, lotus, kite }
}

const check = (server: TestServer, ...args: string[]) => runCommand(checkDataCommand, server.directory, args)

/** Changes the database as somebody with the sqlite3 program does. */
function tamper(server: TestServer, statements: string): void {
  const database = new SqliteDatabase(path.join(server.directory, 'data/rangoli.db'))
  database.unsafeMode()
  database.pragma('foreign_keys = OFF')
  database.exec(statements)
  database.close()
}

/** Expects one fault, that --fix mends it, and that nothing is left of it. */
async function expectRepaired(server: TestServer, sentence: RegExp, faults = 1): Promise<void> {
  const found = await check(server)
  expect(found.printed).toHaveLength(faults)
  expect(found.printed).toContainEqual(expect.stringMatching(sentence))
  expect(found.refusal).toMatch(/^\d faults? found\. npm run check-data -- --fix mends \d of them\.$/)
  const mended = await check(server, '--fix')
  expect(mended.refusal).toBeNull()
  expect(mended.printed).toContainEqual(expect.stringMatching(/: mended\.$/))
  await expectSound(server)
}

async function expectSound(server: TestServer): Promise<void> {
  const { printed, refusal } = await check(server)
  expect({ printed, refusal }).toEqual({ printed: ['Everything is as it should be.'], refusal: null })
}

const found = async (server: TestServer, search: string) =>
  (await server.client().posts.list.query({ search })).posts.map(({ prompt }) => prompt)

test('beside a running server with everything in it, all is as it should be', async () => {
  const { server, asha } = await startGallery()
  const [post] = (await asha.trpc.posts.list.query()).posts
  await asha.trpc.posts.report.mutate({ id: post?.id ?? '', reason: 'other' })
  await asha.trpc.posts.delete.mutate({ id: post?.id ?? '' })
  await expectSound(server)
})

test.each(['original.jpg', ''])(
  'an image whose file is gone (%j) is told, and no post goes for it',
  async (file) => {
    const { server, lotus } = await startGallery()
    await rm(path.join(lotus, file), { recursive: true })
    for (const args of [[], ['--fix']]) {
      const { printed, refusal } = await check(server, ...args)
      expect(printed).toEqual([
        expect.stringMatching(`^The image ${path.basename(lotus)} of the image .* is missing\\.$`),
      ])
      expect(refusal).toBe('1 fault found. What is lost has to come from a backup.')
    }
    expect(await found(server, 'lotus')).toEqual(['A lotus'])
  },
)

test('an image that is not what its row says is told, and not touched', async () => {
  const { server, lotus } = await startGallery()
  await appendFile(path.join(lotus, 'original.jpg'), 'x')
  const { printed, refusal } = await check(server, '--fix')
  expect(printed).toEqual([expect.stringMatching(/ is damaged\.$/)])
  expect(refusal).toMatch(/^1 fault found\./)
  expect(await readdir(lotus)).toContain('original.jpg')
})

test('a damaged thumbnail is made anew; a missing one is no fault', async () => {
  const { server, lotus, kite } = await startGallery()
  await truncate(path.join(lotus, '640.webp'), 60)
  await writeFile(path.join(kite, '320.webp'), 'no image')
  await rm(path.join(kite, '640.webp'))
  await expectRepaired(server, /^The thumbnail 640\.webp of the image .* is damaged\.$/, 2)
})

test('an image stored with metadata of its engine is stored without it, under another address', async () => {
  const { server, asha, lotus, kite } = await startGallery()
  const hush = jpegSegment(0xfe, 'a lotus for Quentin')
  const file = path.join(lotus, 'original.jpg')
  const old = withSegments(await readFile(file), hush)
  const signed = withSegments(old, jumbfSegment('c2pa'))
  await writeFile(file, old)
  await writeFile(path.join(kite, 'original.jpg'), signed)
  for (const [folder, bytes] of [
    [lotus, old],
    [kite, signed],
  ] as const) {
    tamper(server, `UPDATE images SET sha256 = '${sha256(bytes)}' WHERE folder = '${path.basename(folder)}'`)
  }
  const addressOf = async (search: string) =>
    (await asha.trpc.posts.list.query({ search })).posts[0]?.photo ?? ''
  const [before, kept] = [await addressOf('lotus'), await addressOf('kite')]
  await expectRepaired(
    server,
    /^The image .* carries metadata of the engine, which may contain the prompt\.$/,
  )

  expect((await server.request(before)).status).toBe(404)
  const after = await addressOf('lotus')
  const served = Buffer.from(await (await server.request(after)).arrayBuffer())
  expect(served.includes('Quentin')).toBe(false)
  expect(await sharp(served).raw().toBuffer()).toEqual(await sharp(old).raw().toBuffer())
  expect((await server.request(thumbnailUrl(after, 320))).status).toBe(200)
  expect(await addressOf('kite')).toBe(kept)
  expect(Buffer.from(await (await server.request(kept)).arrayBuffer()).equals(signed)).toBe(true)
  for (const [index, bytes] of [served, old].entries()) {
    const input = { name: 'Asha', prompt: `Shared again ${index}`, photo: dataUrl(bytes) }
    expect((await asha.trpc.posts.create.mutate(input)).photo).toBe(after)
  }
})

test('moves an image that no row knows for an hour to quarantine, and leaves other files alone', async () => {
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
  await expectRepaired(server, /^No row knows the image old_+\.$/)
  expect(await readdir(uploads)).toEqual(expect.arrayContaining(['new'.padEnd(22, '_'), 'notes.txt']))
})

test.each(['posts_trigrams', 'posts_grams'])('a post that %s lacks is found again', async (index) => {
  const { server } = await startGallery()
  tamper(server, `DELETE FROM ${index} WHERE rowid = 1`)
  await expectRepaired(server, new RegExp(`^Post number 1 is not in the search index ${index}\\.$`))
  expect(await found(server, 'lotus')).toEqual(['A lotus'])
  expect(await found(server, 'lo')).toEqual(['A lotus'])
})

test('a post that is found and not there, and one that is hidden and found, go from the index', async () => {
  const { server } = await startGallery()
  tamper(server, "INSERT INTO posts_trigrams (rowid, text) VALUES (77, 'lotus')")
  await expectRepaired(server, /^The search index posts_trigrams finds post number 77/)
})

test.each(['UPDATE gallery SET posts = 7', 'DELETE FROM gallery', 'INSERT INTO gallery VALUES (1, 1)'])(
  'a count that is wrong after %j is right again',
  async (statement) => {
    const { server } = await startGallery()
    tamper(server, statement)
    await expectRepaired(server, /^The gallery counts/)
    expect((await server.client().posts.list.query()).total).toBe(2)
  },
)

test('a trigger or a key that was dropped is made again, and what went wrong without it is put right', async () => {
  const { server } = await startGallery()
  tamper(server, 'DROP TRIGGER posts_changed; DROP INDEX images_owner')
  tamper(server, "UPDATE posts SET hidden_at = NULL WHERE prompt = 'A lotus'")
  const { printed } = await check(server, '--fix')
  expect(printed).toEqual([
    'The database has no index images_owner: mended.',
    'The database has no trigger posts_changed: mended.',
    'Post number 1 is not in the search index posts_trigrams: mended.',
    'The gallery counts 1 posts, and 2 are in it: mended.',
    '4 faults found and mended.',
  ])
  await expectSound(server)
  expect(await found(server, 'lotus')).toEqual(['A lotus'])
})

test('a table that is gone is told', async () => {
  const { server } = await startGallery()
  tamper(server, 'DROP TABLE reports')
  const { printed, refusal } = await check(server)
  expect(printed[0]).toBe('The database has no table reports.')
  expect(refusal).toMatch(/^\d faults found\./)
})

test('a prompt that was changed by hand is searched for as it is', async () => {
  const { server } = await startGallery()
  tamper(server, "UPDATE posts SET prompt = 'A peacock' WHERE prompt = 'A lotus'")
  await expectRepaired(server, /^The post .* is searched by another text than it shows\.$/)
  expect(await found(server, 'peacock')).toEqual(['A peacock'])
  expect(await found(server, 'lotus')).toEqual([])
})

test('a row that names one which is not there goes where it would have gone; otherwise it is told', async () => {
  const { server } = await startGallery()
  tamper(server, "INSERT INTO reports (post_id, reason, comment, created_at) VALUES ('none', 'other', '', 0)")
  await expectRepaired(server, /^Row 1 of reports names one of posts that is not there\.$/)
  tamper(server, "UPDATE posts SET image_id = 'none' WHERE prompt = 'A kite'")
  const { printed, refusal } = await check(server, '--fix')
  expect(printed).toEqual(['Row 2 of posts names one of images that is not there.'])
  expect(refusal).toMatch(/^1 fault found/)
})

test('a search index that is damaged in itself is made anew', async () => {
  const { server } = await startGallery()
  tamper(server, "UPDATE posts_trigrams_data SET block = x'00' WHERE id > 10")
  await expectRepaired(server, /^The database is damaged: .*posts_trigrams/)
  expect(await found(server, 'lotus')).toEqual(['A lotus'])
})

test('a damaged key is made anew; where a table itself is damaged nothing else is said', async () => {
  const { server } = await startGallery()
  await server.services.db.destroy()
  const file = path.join(server.directory, 'data/rangoli.db')
  const broken = new SqliteDatabase(file)
  broken.unsafeMode()
  broken.exec(`
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '(owner_id, seq)', '(prompt, seq)') WHERE name = 'images_owner'`)
  broken.close()
  const { printed } = await check(server)
  expect(printed).toEqual([expect.stringMatching(/^The database is damaged: .*images_owner/)])
  expect((await check(server, '--fix')).refusal).toBeNull()
  await expectSound(server)

  await damageTable(file, 'daily_usage')
  const damaged = await check(server, '--fix')
  expect(damaged.refusal).toMatch(/^1 fault found|^The data could not be checked: /)
})

test('what is not there, or of an earlier version, gets one line and is left alone', async () => {
  const folder = await tempFolder()
  const refusal = async () => (await runCommand(checkDataCommand, folder, [])).refusal
  expect(await refusal()).toMatch(/^There is nothing to check: .* is not there\.$/)
  expect(await readdir(folder)).toEqual([])
  await mkdir(path.join(folder, 'data'))
  const file = path.join(folder, 'data/rangoli.db')
  new SqliteDatabase(file).close()
  expect(await refusal()).toMatch(
    /^The uploads folder .* is not there\. Mount it, or begin a new one with --fix\.$/,
  )
  await mkdir(path.join(folder, 'uploads'))
  expect(await refusal()).toMatch(/is of an earlier version/)
  await writeFile(file, 'Dear diary, '.repeat(1_000))
  expect(await refusal()).toMatch(/^DATABASE_URL: .* can't be opened \(file is not a database\)\.$/)
})

test('asks before it uses an uploads folder of another site, and changes nothing after a no', async () => {
  const { server } = await startGallery()
  const { server: other } = await startGallery()
  const env = { UPLOADS_DIR: path.join(other.directory, 'uploads') }
  const inUse = async () => (await runCommand(checkDataCommand, other.directory, [])).refusal
  expect((await runCommand(checkDataCommand, server.directory, [], { env })).refusal).toMatch(
    /^UPLOADS_DIR and DATABASE_URL: the uploads folder .* belongs to another database than .*\.$/,
  )
  const no = await runCommand(checkDataCommand, server.directory, ['--fix'], { env, answer: false })
  expect(no).toMatchObject({ printed: ['Nothing was changed.'], refusal: null })
  expect(no.questions).toEqual([
    expect.stringMatching(
      /^The uploads folder .* belongs to .*\. Use them together from now on\? \[y\/N\] $/,
    ),
  ])
  expect(await inUse()).toBeNull()
  const yes = await runCommand(checkDataCommand, server.directory, ['--fix'], { env, answer: true })
  expect(yes.refusal).toBeNull()
  expect(await inUse()).toMatch(/belongs to another database/)
})

test('refuses --yes without --fix', async () => {
  expect((await runCommand(checkDataCommand, await tempFolder(), ['--yes'])).refusal).toBe(
    '--yes belongs to --fix.',
  )
})
