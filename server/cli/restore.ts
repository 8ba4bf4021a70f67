import path from 'node:path'
import type { Command } from 'commander'
import { StartError } from '../errors/app-error.ts'
import { openBackup, restoreBackup, type ExistingData } from '../ops/backup/restore.ts'
import { siteFiles } from './backup.ts'
import { confirm, type CommandContext } from './command.ts'
import { withSystemErrors } from './system-errors.ts'
import { counted, printProgress } from './terminal.ts'

const description = `Restores a backup to the database and the uploads folder that DATABASE_URL and UPLOADS_DIR name. Verifies the checksum of
every file. The server must be stopped. After confirmation, it replaces existing data, which is kept in
folders named before-restore-…, next to the database and in the uploads folder.`

/** Adds `restore`, which requires that the server is stopped. */
export function addRestoreCommand(program: Command, { readConfig, terminal }: CommandContext): void {
  program
    .command('restore')
    .summary('Restore a backup; the server must be stopped')
    .description(description)
    .argument('<dir>', 'folder of backups, such as /mnt/backups/rangoli')
    .option('--backup <name>', 'backup to restore (default: the newest)')
    .option('--yes', 'replace existing data without asking')
    .action((dir: string, { backup: name, yes = false }: { backup?: string; yes?: boolean }) =>
      withSystemErrors('The backup was not restored', async () => {
        const { print } = terminal
        const site = siteFiles(readConfig())
        const backup = await openBackup(path.resolve(dir), name)
        const posts = counted(backup.manifest.posts, 'post')
        const replaceQuestion = ({ hasDatabase, images }: ExistingData) => {
          const existing = [
            ...(hasDatabase ? [`the database ${site.databaseFile}`] : []),
            ...(images > 0
              ? [`${counted(images, 'image')} in ${site.uploadsDirectory ?? 'the uploads folder'}`]
              : []),
          ].join(' and ')
          return `Replace ${existing} by the backup ${backup.name} (${posts})? The existing data is kept in before-restore-… folders.`
        }
        const restored = await restoreBackup(site, backup, {
          now: Date.now(),
          report: printProgress(terminal.print, 'images'),
          mayReplace: (existing) => confirm(terminal, replaceQuestion(existing), yes),
        })
        if (!restored) return print('Nothing was restored.')
        print(`The backup ${backup.name} is restored: ${posts} and ${counted(restored.images, 'image')}.`)
        for (const folder of restored.previous)
          print(`The previous data is in ${folder}; remove it when you no longer need it.`)
        if (restored.lost.length > 0) throw incomplete(restored.lost.length)
      }),
    )
}

function incomplete(lost: number): StartError {
  return new StartError(
    `The backup is restored without ${counted(lost, 'image')} that it does not contain, or contains damaged. npm run verify lists them.`,
  )
}
