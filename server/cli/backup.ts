import path from 'node:path'
import type { Command } from 'commander'
import { authSecretFile } from '../auth/auth-secret.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../errors/app-error.ts'
import type { SiteFiles } from '../ops/backup/backup-format.ts'
import { takeBackup } from '../ops/backup/backup.ts'
import { openBackup, restoreBackup } from '../ops/backup/restore.ts'
import { integerBetween, withSystemErrors, type CommandContext } from './command.ts'

const backupDescription = `Backs up the site into a folder while the server runs: the database at one moment, the images it references, and the
secret that signs sessions if it is stored next to the database. Images that an earlier backup has are not copied again.

The folder is created if it is missing, and must contain nothing but backups. It then holds email addresses, password
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
    .description(backupDescription)
    .argument('<dir>', 'folder for backups, such as /mnt/backups/rangoli')
    .option('--keep <n>', 'number of backups to keep, including this one', integerBetween(1, 9_999), 7)
    .action(async (dir: string, { keep }: { keep: number }) => {
      const config = readConfig()
      const directory = path.resolve(dir)
      await withSystemErrors(`No backup was made in ${directory}; earlier backups are unchanged`, () =>
        takeBackup(siteFiles(config), directory, keep, print),
      )
      if (config.storage.kind === 's3') {
        print(`Images are not copied from the bucket ${config.storage.bucket}: turn on its versioning.`)
      }
    })
}

/** Files that a backup of the configured site contains. @throws StartError with PostgreSQL */
function siteFiles(config: Config): SiteFiles {
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

const restoreDescription = `Restores a backup to the database and the uploads folder that DATABASE_URL and UPLOADS_DIR name. Verifies the checksum of
every file. The server must be stopped. After confirmation, it replaces existing data, which is kept in
folders named before-restore-…, next to the database and in the uploads folder.`

/** Adds `restore`, which requires that the server is stopped. */
export function addRestoreCommand(program: Command, { readConfig, terminal }: CommandContext): void {
  program
    .command('restore')
    .summary('Restore a backup; the server must be stopped')
    .description(restoreDescription)
    .argument('<dir>', 'folder of backups, such as /mnt/backups/rangoli')
    .option('--backup <name>', 'backup to restore (default: the newest)')
    .option('--yes', 'replace existing data without asking')
    .action((dir: string, { backup: name, yes = false }: { backup?: string; yes?: boolean }) =>
      withSystemErrors('The backup was not restored', async () => {
        const site = siteFiles(readConfig())
        const backup = await openBackup(path.resolve(dir), name)
        await restoreBackup(site, backup, terminal, yes)
      }),
    )
}
