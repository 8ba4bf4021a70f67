import { appendFile, chown, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { makeFolder, tempFolder } from '../../test/support/folder.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { runCommand } from '../../test/support/command.ts'
import { uploadsIn } from '../../test/support/site.ts'
import { acquireFileLock } from '../db/sqlite/file-lock.ts'
import { lockFile } from '../storage/uploads-folder.ts'

/** Folder with what `twoSites` copies. */
let template: string | null = null
afterAll(async () => {
  if (template !== null) await rm(template, { recursive: true })
})

/** A backup of one shared image, and the folder of another site with one image. */
async function twoSites() {
  template ??= await createTwoSites()
  const copy = await tempFolder()
  await cp(template, copy, { recursive: true, preserveTimestamps: true })
  return { backups: path.join(copy, 'backups'), folder: path.join(copy, 'other') }
}

async function createTwoSites(): Promise<string> {
  const parent = await makeFolder()
  for (const [name, prompt] of [
    ['site', 'A lotus'],
    ['other', 'A kite'],
  ] as const) {
    const server = await startTestServer({ folder: path.join(parent, name) })
    const asha = await server.signUp()
    await asha.share(prompt)
    if (name === 'site') await runCommand(server.directory, ['backup', path.join(parent, 'backups')])
    await server.stop()
  }
  return parent
}

/** The prompts of the posts in a database. */
function promptsIn(file: string): unknown[] {
  const database = new SqliteDatabase(file)
  const prompts = database.prepare('SELECT prompt FROM posts').pluck().all()
  database.close()
  return prompts
}

const everything = (folder: string) => readdir(folder, { recursive: true }).then((names) => names.sort())

/** The name of the one backup in a folder. */
async function backupIn(backups: string): Promise<string> {
  return (await readdir(backups)).find((one) => /^\d/.test(one)) ?? ''
}

const databaseIn = (folder: string) => path.join(folder, 'data/rangoli.db')

test('asks before it replaces data, and keeps the data after a no', async () => {
  const { backups, folder } = await twoSites()
  const before = await everything(folder)
  const { questions, printed } = await runCommand(folder, ['restore', backups], { answer: false })
  expect(questions).toEqual([
    expect.stringMatching(/^Replace the database .*rangoli\.db and 1 image in .* \(1 post\)\? .* \[y\/N\] $/),
  ])
  expect(printed).toEqual(['Nothing was restored.'])
  expect(await everything(folder)).toEqual(before)
  expect(promptsIn(databaseIn(folder))).toEqual(['A kite'])
})

test.runIf(process.getuid?.() === 0)(
  'writes nothing as root that the owner of a site could not open',
  async () => {
    const { backups, folder } = await twoSites()
    for (const name of ['data', 'data/rangoli.db']) await chown(path.join(folder, name), 1234, 1234)
    const before = await everything(folder)
    for (const command of [`restore ${backups} --yes`, 'seed --posts 1', 'verify --fix']) {
      const { error } = await runCommand(folder, command.split(' '))
      expect(error).toMatch(/belongs to another user \(1234\).* sudo -u '#1234'$/)
    }
    expect(await everything(folder)).toEqual(before)
    expect(promptsIn(databaseIn(folder))).toEqual(['A kite'])
  },
)

test('moves the previous data aside after confirmation', async () => {
  const { backups, folder } = await twoSites()
  const secret = await readFile(path.join(folder, 'data/auth-secret'), 'utf8')
  const [image = ''] = await uploadsIn(folder)
  const { error, printed } = await runCommand(folder, ['restore', backups], { answer: true })
  expect(error).toBeNull()
  expect(promptsIn(databaseIn(folder))).toEqual(['A lotus'])

  const asides = printed.slice(1).map((line) => / is in (.*); remove it/.exec(line)?.[1] ?? '')
  expect(asides.map((aside) => path.dirname(aside))).toEqual(
    ['data', 'uploads'].map((name) => path.join(folder, name)),
  )
  const [data = '', uploads = ''] = asides
  expect(promptsIn(path.join(data, 'rangoli.db'))).toEqual(['A kite'])
  expect(await readFile(path.join(data, 'auth-secret'), 'utf8')).toBe(secret)
  expect((await readdir(uploads)).sort()).toEqual(['.rangoli', image].sort())
  expect(await readdir(path.join(uploads, image))).toContain('original.jpg')
  expect((await readdir(path.join(folder, 'data'))).sort()).toEqual(
    ['auth-secret', path.basename(data), 'rangoli.db'].sort(),
  )
})

test('replaces the file that a link to the database names', async () => {
  const { backups, folder } = await twoSites()
  const link = path.join(await tempFolder(), 'linked.db')
  await symlink(databaseIn(folder), link)
  const env = { DATABASE_URL: `file:${link}` }
  expect((await runCommand(folder, ['restore', backups, '--yes'], { env })).error).toBeNull()
  expect(promptsIn(databaseIn(folder))).toEqual(['A lotus'])
})

test('rejects a restore while a server runs, without asking', async () => {
  const { backups, folder } = await twoSites()
  const server = await startTestServer({ folder })
  const { error, questions } = await runCommand(folder, ['restore', backups, '--yes'], { answer: true })
  expect(error).toMatch(/^The database .*rangoli\.db is in use; stop the server/)
  expect(questions).toEqual([])
  await server.stop()
  const release = acquireFileLock(lockFile(path.join(folder, 'uploads')))
  const elsewhere = { env: { DATABASE_URL: `file:${path.join(await tempFolder(), 'new.db')}` } }
  const rejected = await runCommand(folder, ['restore', backups, '--yes'], elsewhere)
  expect(rejected.error).toMatch(/^The uploads folder .*uploads is in use; stop the server/)
  release?.()
  expect((await runCommand(folder, ['restore', backups, '--yes'])).error).toBeNull()
})

test('does not apply the write-ahead log of a missing or damaged database to the restored one', async () => {
  const { backups } = await twoSites()
  for (const database of [null, 'Dear diary, '.repeat(1_000)]) {
    const folder = await tempFolder()
    await mkdir(path.join(folder, 'data'))
    if (database !== null) await writeFile(databaseIn(folder), database)
    for (const suffix of ['-wal', '-shm']) await writeFile(databaseIn(folder) + suffix, 'another database’s')
    expect((await runCommand(folder, ['restore', backups])).error).toMatch(/pass --yes/)
    expect((await runCommand(folder, ['restore', backups, '--yes'])).error).toBeNull()
    const kept = (await readdir(path.join(folder, 'data'))).filter((name) => !name.startsWith('before-'))
    expect(kept.sort()).toEqual(['auth-secret', 'rangoli.db'])
    expect(promptsIn(databaseIn(folder))).toEqual(['A lotus'])
  }
})

test('changes nothing if the database of the backup is damaged', async () => {
  const { backups, folder } = await twoSites()
  const name = await backupIn(backups)
  await appendFile(path.join(backups, name, 'rangoli.db'), 'x')
  const before = await everything(folder)
  const { error } = await runCommand(folder, ['restore', backups, '--yes'])
  expect(error).toBe(`The database of the backup ${name} is damaged; nothing was changed.`)
  expect(await everything(folder)).toEqual(before)
  expect(promptsIn(databaseIn(folder))).toEqual(['A kite'])
})

test.each([
  [{ version: '9999-holograms' }, /newer version of Rangoli \(it has the migration 9999-holograms\)/],
  [{ format: 2 }, /has no manifest\.json that this version can read/],
])('rejects a manifest with %j in one line', async (change, sentence) => {
  const { backups } = await twoSites()
  const name = await backupIn(backups)
  const file = path.join(backups, name, 'manifest.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object
  await writeFile(file, JSON.stringify({ ...manifest, ...change }))
  const folder = await tempFolder()
  const { error } = await runCommand(folder, ['restore', backups])
  expect(error).toMatch(sentence)
  expect(error).not.toContain('\n')
  expect(await readdir(folder)).toEqual([])
})

test('reports an image that is damaged in the backup unless the uploads folder has it', async () => {
  const { backups } = await twoSites()
  const [image = ''] = await readdir(path.join(backups, 'pictures'))
  const folder = await tempFolder()
  expect((await runCommand(folder, ['restore', backups])).error).toBeNull()
  await appendFile(path.join(backups, 'pictures', image, 'original.jpg'), 'x')
  expect((await runCommand(folder, ['restore', backups, '--yes'])).error).toBeNull()
  await appendFile(path.join(folder, 'uploads', image, 'original.jpg'), 'x')
  expect((await runCommand(folder, ['restore', backups, '--yes'])).error).toMatch(
    /^The backup is restored without 1 image that it does not contain, or contains damaged\./,
  )
})

test('gives the uploads folder the id of the restored database', async () => {
  const { backups, folder } = await twoSites()
  const fresh = await tempFolder()
  for (const target of [fresh, folder]) {
    expect((await runCommand(target, ['restore', backups, '--yes'])).error).toBeNull()
    const server = await startTestServer({ folder: target })
    expect((await server.client().posts.list.query()).posts).toMatchObject([{ prompt: 'A lotus' }])
    await server.stop()
  }
  const [first, second] = await Promise.all(
    [fresh, folder].map((target) => readFile(path.join(target, 'uploads/.rangoli/site-id'), 'utf8')),
  )
  expect(first).toBe(second)
})
