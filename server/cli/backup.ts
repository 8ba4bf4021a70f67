import path from 'node:path'
import type { Command } from 'commander'
import { authSecretFile } from '../auth/auth-secret.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../errors/app-error.ts'
import type { SiteFiles } from '../ops/backup/backup-format.ts'
import { takeBackup } from '../ops/backup/backup.ts'
import { integerBetween, type CommandContext } from './command.ts'
import { withSystemErrors } from './system-errors.ts'
import { announceDatabase, counted, printProgress } from './terminal.ts'

const description = `Backs up the site into a folder while the server runs: the database at one moment, the images it references, and the
secret that signs sessions if it is stored next to the database. Images that an earlier backup has are not copied again.

The folder is created if it is missing, and must contain nothing but backups. It then holds e-mail addresses, password
hashes and that secret, readable by you only: keep it as safe as the site itself. .env and other environment variables
are not backed up.`

/** Adds `backup`, which runs while the server runs. */
export function addBackupCommand(
  program: Command,
  { readConfig, terminal: { print } }: CommandContext,
): void {
  program
    .command('backup')
    .summary('Back up database, images and secret while the server runs')
    .description(description)
    .argument('<dir>', 'folder for backups, such as /mnt/backups/rangoli')
    .option('--keep <n>', 'number of backups to keep, including this one', integerBetween(1, 9_999), 7)
    .action(async (dir: string, { keep }: { keep: number }) => {
      const config = readConfig()
      const directory = path.resolve(dir)
      const { name, manifest, copied, lost } = await withSystemErrors(
        `No backup was made in ${directory}; earlier backups are unchanged`,
        () =>
          takeBackup(siteFiles(config), directory, {
            keep,
            now: Date.now(),
            beforeDatabase: (bytes) => announceDatabase(print, bytes),
            report: printProgress(print, 'images'),
          }),
      )
      print(
        `${path.join(directory, name)} contains ${counted(manifest.posts, 'post')} and ${counted(manifest.pictures, 'image')}, ${copied} of them new.`,
      )
      if (config.storage.kind === 's3') {
        print(`Images are not copied from the bucket ${config.storage.bucket}: turn on its versioning.`)
      }
      if (lost.length === 0) return
      throw new StartError(
        `The backup was made without ${counted(lost.length, 'image')} of the site: missing or damaged. npm run verify lists them.`,
      )
    })
}

/**
 * Files that a backup of the configured site contains.
 *
 * @throws StartError with PostgreSQL
 */
export function siteFiles(config: Config): SiteFiles {
  const { database } = config
  if (database.kind === 'postgres') {
    throw new StartError(
      'DATABASE_URL: backup and restore are for SQLite. Use pg_dump and pg_restore for the database, and copy the images after the dump.',
    )
  }
  const uploadsDirectory = config.storage.kind === 'disk' ? config.storage.directory : null
  const { file: databaseFile } = database
  return { databaseFile, uploadsDirectory, secretFile: authSecretFile(path.dirname(databaseFile)) }
}
