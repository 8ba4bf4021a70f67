import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config/config.ts'
import { nullIfMissing } from '../storage/null-if-missing.ts'
import { count } from './amounts.ts'
import { note, ok, problem, type Finding } from './finding.ts'
import type { DatabaseContent, DatabaseState } from './read-database.ts'

/** What Linux calls the file systems of other machines. */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
])

/** What the database is, and whether this version can work with it. */
export async function checkDatabase(config: Config, state: DatabaseState): Promise<Finding[]> {
  const { databaseFile: file } = config
  const place = await checkPlace(file)
  const otherFile = 'set DATABASE_URL to another file'
  switch (state.kind) {
    case 'missing':
      return [ok(`The first start makes the database ${file}.`), ...place]
    case 'empty':
      return [ok(`The database ${file} is empty; the next start fills it.`), ...place]
    case 'unreadable':
      return [
        problem(
          `The database ${file} can't be read (${state.reason}).`,
          `Let the user that the server runs as read it, restore a copy of it, or ${otherFile}.`,
        ),
      ]
    case 'foreign':
      return [
        problem(
          `The database ${file} holds the tables of something else.`,
          `To keep them apart, ${otherFile}.`,
        ),
      ]
    case 'newer':
      return [
        problem(
          `The database ${file} was written by a newer version of Rangoli (it knows ${state.migration}).`,
          'Start that version, or restore an older copy.',
        ),
      ]
    case 'ours':
      return [...checkOurs(file, state), ...(await checkPictures(config, state.content)), ...place]
  }
}

function checkOurs(file: string, state: DatabaseState & { kind: 'ours' }): Finding[] {
  const { posts, pictures, accounts, administrators } = state.content
  const findings = [
    ok(
      `The database ${file} holds ${count(posts, 'post')}, ${count(pictures, 'picture')} and ${count(accounts, 'account')}, ${count(administrators, 'administrator')} among them.`,
    ),
    state.missing.length === 0
      ? ok('Its schema is up to date.')
      : note(
          `Its schema needs a migration (${state.missing.join(', ')}): the next start brings it up to date and keeps a copy.`,
        ),
  ]
  if (state.damage !== null) {
    findings.push(problem(`It is damaged (${state.damage}).`, 'Stop the server, and restore a copy.'))
  }
  if (!state.isWritable) {
    findings.push(
      problem("It can't be written.", 'Give the file and its folder to the user that the server runs as.'),
    )
  }
  return findings
}

/** Whether the pictures that a database knows can be where they are looked for. */
async function checkPictures(
  { uploadsDirectory }: Config,
  { pictures }: DatabaseContent,
): Promise<Finding[]> {
  if (pictures === 0 || (await nullIfMissing(stat(uploadsDirectory)))) return []
  return [
    problem(
      `It knows ${count(pictures, 'picture')}, but the uploads folder ${uploadsDirectory} is not there.`,
      'Mount it or set UPLOADS_DIR before the next start, which would make an empty one.',
    ),
  ]
}

/** A word of warning where the file lies on another machine. */
async function checkPlace(file: string): Promise<Finding[]> {
  const folder = path.dirname(file)
  if (!existsSync(folder)) return []
  const system = networkFileSystems.get((await statfs(folder)).type)
  if (system === undefined) return []
  return [
    note(
      `The database lies on a network file system (${system}), on which SQLite can lose data.`,
      'Keep it on a disk of this machine.',
    ),
  ]
}
