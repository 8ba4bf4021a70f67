import { existsSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { databaseName, type DatabaseConfig } from '../db/database-config.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { databaseBytes } from '../db/postgres/maintenance.ts'
import { databaseSize } from '../db/sqlite/maintenance.ts'
import { withDatabase, type Database } from '../db/open-database.ts'
import { StartError } from '../errors/app-error.ts'
import { onDisk } from '../files/disk-files.ts'
import { capitalize, count } from '../ops/doctor/report.ts'
import {
  comparePlace,
  mismatchError,
  openSiteStorage,
  rejectOtherUser,
  tie,
  type SiteStorage,
} from '../ops/site-storage.ts'
import { verifyData, type Issue, type VerifiedSite } from '../ops/verify.ts'
import { announceDatabase, confirm, printProgress } from '../ops/terminal.ts'
import { withSystemErrors, type CommandContext } from './command.ts'
import { systemClock } from '../time/clock.ts'

const description = `Reads the whole database and every image while the server runs, and prints the issues: a damaged database, references
to missing rows, a search index or a count that disagrees with the posts, missing or damaged images, and images that have been
orphaned for an hour. Exits with 1 if an issue remains.

--fix recreates thumbnails and index entries, removes dangling rows, of which it keeps a copy next to the database, and moves
orphaned images to quarantine. It asks before it ties an uploads folder to another database,
and before it moves more images than crashes explain. A lost image has to be restored from a backup.`

/** Issues of a kind that are printed; the others are counted. */
const examplesPerKind = 3

interface VerifyOptions {
  readonly fix?: boolean
  readonly all?: boolean
  readonly yes?: boolean
}

/** Adds `verify`, which runs while the server runs. */
export function addVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .summary('Check stored data; --fix repairs it')
    .description(description)
    .option('--fix', 'repair what can be repaired')
    .option('--yes', 'answer every question of --fix with yes')
    .option('--all', 'print every issue, not only the first three of a kind')
    .action((options: VerifyOptions) => verify(context, options))
}

async function verify(
  { readConfig, openLog, terminal }: CommandContext,
  options: VerifyOptions,
): Promise<void> {
  const { print } = terminal
  if (options.yes && !options.fix) throw new StartError('--yes requires --fix.')
  const config = readConfig()
  if (options.fix) await rejectOtherUser(config)
  const { database, storage: place } = config
  if (database.kind === 'sqlite' && !existsSync(database.file))
    throw new StartError(`There is nothing to verify: ${database.file} does not exist.`)
  if (place.kind === 'disk' && !existsSync(place.directory) && !options.fix)
    throw new StartError(
      `The uploads folder ${place.directory} does not exist. Mount it, or create a new one with --fix.`,
    )

  async function verifySite(storage: SiteStorage, db: Database): Promise<void> {
    const mismatch = await comparePlace(storage.place, databaseName(database), db)
    if (mismatch) {
      if (!options.fix) throw mismatchError(mismatch)
      const question = `${capitalize(mismatch.what)}. Use them together from now on?`
      if (!(await confirm(terminal, question, options.yes === true))) return print('Nothing was changed.')
      await tie(storage.place, db)
      // Confirming this is no consent to moving what the other database left in the folder.
      return print('They belong together now. Run npm run verify to see what is missing.')
    }
    if (options.fix) await tie(storage.place, db)
    announceDatabase(print, await (dialectOf(db) === 'sqlite' ? databaseSize(db) : databaseBytes(db)))
    const { blobs } = await storage.open({ db, now: systemClock })
    const site = { db, blobs, keepRow: keepRowsIn(database) }
    await report(verifyData(site, printProgress(print, 'images')))
  }

  /** Prints the issues, and with `--fix` repairs them. @throws StartError if an issue remains */
  async function report(issues: AsyncIterable<Issue>): Promise<void> {
    let [found, fixed, fixable] = [0, 0, 0]
    const kinds = new Map<string, { readonly example: string; count: number }>()
    for await (const { message, fix, question } of issues) {
      found += 1
      const kind = kinds.get(kindOf(message)) ?? { example: message, count: 0 }
      kinds.set(kindOf(message), kind)
      kind.count += 1
      if (fix) fixable += 1
      const isConfirmed = async () =>
        question === undefined || (await confirm(terminal, question, options.yes === true))
      const isFixing = fix !== null && options.fix === true && (await isConfirmed())
      if (isFixing) {
        await fix()
        fixed += 1
      }
      if (kind.count <= examplesPerKind || options.all) print(`${message}${isFixing ? ': fixed' : ''}.`)
    }
    for (const kind of kinds.values()) {
      const more = kind.count - examplesPerKind
      if (more > 0 && options.all !== true) print(`${more} more like: ${kind.example}.`)
    }
    if (found === 0) return print('No issues found.')
    if (found === fixed) return print(`${count(found, 'issue')} found and fixed.`)
    const remaining = `${count(found, 'issue')} found${fixed > 0 ? `, ${fixed} fixed` : ''}`
    const advice =
      options.fix === true || fixable === 0
        ? 'Restore what is lost from a backup.'
        : `npm run verify -- --fix repairs ${fixable} of them.`
    throw new StartError(`${remaining}. ${advice}`)
  }

  await withSystemErrors('The data could not be verified', () =>
    withDatabase(database, openLog(config), async ({ db, applied, pending }) => {
      if (pending.length > 0) {
        const name = `The database ${databaseName(database)}`
        const version = applied.at(-1) ?? 'no migration'
        throw new StartError(
          `${name} is of an earlier version (${version}); start the server once to migrate it, then verify.`,
        )
      }
      const storage = await openSiteStorage(config)
      try {
        await verifySite(storage, db)
      } finally {
        storage.close()
      }
    }),
  )
}

/** Appends rows as lines of JSON to `NAME-removed-rows.jsonl`, next to the database. PostgreSQL has no dangling rows. */
function keepRowsIn(database: DatabaseConfig): VerifiedSite['keepRow'] {
  if (database.kind === 'postgres') return async () => {}
  const { dir, name } = path.parse(database.file)
  const file = path.join(dir, `${name}-removed-rows.jsonl`)
  return (table, row) =>
    onDisk(appendFile(file, `${JSON.stringify({ table, row })}\n`, { mode: 0o600, flush: true }))
}

/** Returns a message without what differs between issues of one kind: ids, numbers and names of files. */
function kindOf(message: string): string {
  return message.replaceAll(/\S*\d\S*|[\w-]{22}/g, '…')
}
