import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { authSecretFile } from '../auth/auth-secret.ts'
import { sqliteFile, type Config } from '../config/config.ts'
import { databaseName } from '../db/database-config.ts'
import { openDatabase } from '../db/open-database.ts'
import { StartError } from '../errors/app-error.ts'
import { count } from '../ops/doctor/report.ts'
import { importSite, type ImportSource } from '../ops/import/import.ts'
import { Bucket } from '../storage/bucket.ts'
import { nullIfMissing } from '../files/disk-files.ts'
import { withSystemErrors, type CommandContext } from './command.ts'

const description = `Moves a site from SQLite to the empty PostgreSQL database of DATABASE_URL, and its images to the folder of UPLOADS_DIR or
the bucket of S3_BUCKET. The server must be stopped. The source is only read.

Copies the images first, then the rows in one transaction, which is committed if both databases return the same. An
interrupted import leaves the database empty; run it again to continue.`

/** Adds `import`, which requires that servers are stopped. */
export function addImportCommand(
  program: Command,
  { readConfig, openLog, directory, terminal: { print } }: CommandContext,
): void {
  program
    .command('import')
    .summary('Move a site from SQLite to PostgreSQL')
    .description(description)
    .requiredOption('--database <url>', 'database to import, such as file:data/rangoli.db', databaseFile)
    .requiredOption('--uploads <dir>', 'its uploads folder, such as uploads')
    .action((options: { database: string; uploads: string }) =>
      withSystemErrors('The site was not imported, and the database is still empty', async () => {
        const config = readConfig()
        const { database } = config
        if (database.kind !== 'postgres') {
          throw new StartError(
            'DATABASE_URL: import requires PostgreSQL. Set it to an empty database, such as postgres://user:password@localhost/rangoli.',
          )
        }
        const source = {
          databaseFile: path.resolve(directory, options.database),
          uploadsDirectory: path.resolve(directory, options.uploads),
        }
        const settings = await settingsOf(config, source)
        const db = await openDatabase(database, openLog(config))
        try {
          const { storage } = config
          const images = storage.kind === 'disk' ? storage.directory : await Bucket.openUsable(storage)
          const imported = await importSite(source, db, images, print)
          print(
            `${databaseName(database)} contains ${count(imported.posts, 'post')} and ${count(imported.images, 'image')}, ${imported.copied} of them copied now.`,
          )
          if (imported.cleanedTexts > 0) {
            print(
              `Removed NUL characters, which PostgreSQL does not store, from ${count(imported.cleanedTexts, 'text')}.`,
            )
          }
          for (const line of settings) print(line)
          if (imported.lost.length > 0) throw incomplete(imported.lost)
        } finally {
          await db.destroy()
        }
      }),
    )
}

function databaseFile(value: string): string {
  const file = sqliteFile(value)
  if (file === null)
    throw new InvalidArgumentError('It must be file: and a path, such as file:data/rangoli.db.')
  return file
}

/** Lines for `.env` of servers of the imported site. */
async function settingsOf(config: Config, { databaseFile: file }: ImportSource): Promise<string[]> {
  const { auth, database, storage } = config
  const lines = [
    'Servers of the imported site need these settings; .env is not changed:',
    `  DATABASE_URL of ${databaseName(database)}, as now`,
    storage.kind === 'disk'
      ? `  UPLOADS_DIR=${storage.directory}`
      : `  S3_BUCKET=${storage.bucket} and the other S3 variables, as now`,
  ]
  if (auth.kind === 'local') {
    const secret = (await nullIfMissing(readFile(authSecretFile(path.dirname(file)), 'utf8')))?.trim()
    if (secret === undefined || secret === auth.secret) lines.push('  AUTH_SECRET as now')
    else lines.push(`  AUTH_SECRET=${secret}`, 'Another one signs users out and loses secrets of engines.')
  }
  return lines
}

function incomplete(lost: readonly string[]): StartError {
  const shown = lost.slice(0, 5).join(', ')
  const more = lost.length > 5 ? ` and ${lost.length - 5} more` : ''
  return new StartError(
    `The site is imported without ${count(lost.length, 'image')} that are missing or damaged in the source: ${shown}${more}.`,
  )
}
