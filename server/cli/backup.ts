import path from 'node:path'
import { takeBackup } from '../ops/backup/take-backup.ts'
import { StartError } from '../errors/start-error.ts'
import type { Command } from './command.ts'
import { counted } from './counted.ts'
import { withOneLineErrors } from './one-line-errors.ts'
import { parseOptions } from './parse-options.ts'
import { announceDatabase, progress } from './progress.ts'
import { siteFilesOf } from './site-files-of.ts'

const usage = `Usage: npm run backup -- DIR [--keep N]

Takes a backup into the folder DIR, beside a running server: the database as it is at one moment, the images that
it names, and the secret that signs sessions, if it is kept beside the database. Images that an earlier backup in
DIR holds are not copied again. The newest 7 backups are kept, or the newest N.

DIR is made where it is missing, and belongs to backups alone. It then holds users' addresses, the hashes of their
passwords and that secret, readable for you only: keep it as secret as the site itself. Not in it are .env and what
else the environment says.`

const advice = 'use it like this: npm run backup -- /mnt/backups/rangoli'

/** What the command is asked to do. */
function readArguments(args: string[]): { directory: string; keep: number } | 'help' {
  const { values, positionals } = parseOptions(
    { args, allowPositionals: true, options: { keep: { type: 'string' }, help: { type: 'boolean' } } },
    advice,
  )
  if (values.help) return 'help'
  const [directory, ...rest] = positionals
  if (!directory || rest.length > 0) throw new StartError(`Name one folder for the backups; ${advice}`)
  const keep = values.keep ?? '7'
  if (!/^[1-9]\d{0,3}$/.test(keep)) throw new StartError('--keep must be a whole number from 1 to 9999.')
  return { directory: path.resolve(directory), keep: Number(keep) }
}

/** The command `backup`; works beside a running server of the same folder. */
export const backup: Command = async (config, _log, { print }, args) => {
  const request = readArguments(args)
  if (request === 'help') return print(usage)
  const { directory, keep } = request
  const { name, manifest, copied, lost } = await withOneLineErrors(
    `No backup was made into ${directory}; earlier ones are as they were`,
    () =>
      takeBackup(siteFilesOf(config), directory, {
        keep,
        now: Date.now(),
        beforeDatabase: (bytes) => announceDatabase(print, bytes),
        report: progress(print, 'images'),
      }),
  )
  print(
    `${path.join(directory, name)} holds ${counted(manifest.posts, 'post')} and ${counted(manifest.pictures, 'image')}, ${copied} of them new.`,
  )
  if (lost.length === 0) return
  throw new StartError(
    `The backup was made, but ${counted(lost.length, 'image')} of the site could not be: missing or damaged. npm run check-data says which.`,
  )
}
