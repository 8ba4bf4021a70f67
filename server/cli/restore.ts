import path from 'node:path'
import { openBackup, type Backup } from '../ops/backup/open-backup.ts'
import { restoreBackup } from '../ops/backup/restore-backup.ts'
import type { Presence } from '../ops/backup/what-is-there.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../errors/start-error.ts'
import type { Command, Terminal } from './command.ts'
import { counted } from './counted.ts'
import { withOneLineErrors } from './one-line-errors.ts'
import { parseOptions } from './parse-options.ts'
import { progress } from './progress.ts'
import { siteFilesOf } from './site-files-of.ts'

const usage = `Usage: npm run restore -- DIR [--backup NAME] [--yes]

Puts the newest backup of the folder DIR, or the one named NAME, where DATABASE_URL and UPLOADS_DIR say. Every file is
compared with the sum that was taken of it. The server must not be running. What is there already is set aside in
folders named before-restore-…, beside the database and in the uploads folder, after a question or with --yes.`

const advice = 'use it like this: npm run restore -- /mnt/backups/rangoli'

interface RestoreRequest {
  readonly directory: string
  readonly name: string | undefined
  readonly isConfirmed: boolean
}

function readArguments(args: string[]): RestoreRequest | 'help' {
  const { values, positionals } = parseOptions(
    {
      args,
      allowPositionals: true,
      options: { backup: { type: 'string' }, yes: { type: 'boolean' }, help: { type: 'boolean' } },
    },
    advice,
  )
  if (values.help) return 'help'
  const [directory, ...rest] = positionals
  if (!directory || rest.length > 0) throw new StartError(`Name the folder of the backups; ${advice}`)
  return { directory: path.resolve(directory), name: values.backup, isConfirmed: values.yes ?? false }
}

/** The command `restore`; wants the server stopped. */
export const restore: Command = async (config, _log, terminal, args) => {
  const request = readArguments(args)
  if (request === 'help') return terminal.print(usage)
  const { print } = terminal
  await withOneLineErrors('The backup was not restored', async () => {
    const backup = await openBackup(request.directory, request.name)
    const restored = await restoreBackup(siteFilesOf(config), backup, {
      now: Date.now(),
      report: progress(print, 'images'),
      mayReplace: (presence) => confirm(terminal, request, config, backup, presence),
    })
    if (!restored) return print('Nothing was restored.')
    print(
      `The backup ${backup.name} is restored: ${counted(backup.manifest.posts, 'post')} and ${counted(restored.images, 'image')}.`,
    )
    for (const folder of restored.aside)
      print(`What was there before lies in ${folder}; remove it when you like.`)
    if (restored.lost.length > 0) throw withoutImages(restored.lost)
  })
}

async function confirm(
  { ask }: Terminal,
  request: RestoreRequest,
  config: Config,
  { name, manifest }: Backup,
  presence: Presence,
): Promise<boolean> {
  if (request.isConfirmed) return true
  const there = [
    ...(presence.database ? [`the database ${config.databaseFile}`] : []),
    ...(presence.images > 0 ? [`${counted(presence.images, 'image')} in ${config.uploadsDirectory}`] : []),
  ].join(' and ')
  if (!ask) {
    throw new StartError(
      `There is ${there} already, and nobody is there to be asked; say --yes to set that aside.`,
    )
  }
  return ask(
    `There is ${there} already. Set that aside, and restore the backup ${name} with ${counted(manifest.posts, 'post')}? [y/N] `,
  )
}

function withoutImages(lost: readonly string[]): StartError {
  return new StartError(
    `The rest is restored, but the backup holds ${counted(lost.length, 'image')} not at all or damaged. npm run check-data says which.`,
  )
}
