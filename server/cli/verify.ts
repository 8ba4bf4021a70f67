import { existsSync } from 'node:fs'
import { openBlobs } from '../services.ts'
import { checkData } from '../ops/verify/verify.ts'
import type { Fault } from '../ops/verify/issue.ts'
import { databaseSize } from '../db/sqlite/maintenance.ts'
import { withExistingDatabase } from '../db/schema-version.ts'
import { StartError } from '../errors/start-error.ts'
import { compareUploads, mismatchError, tieUploads } from '../site/compare-uploads.ts'
import type { Command, Terminal } from './command.ts'
import { counted } from './counted.ts'
import { withOneLineErrors } from './one-line-errors.ts'
import { parseOptions } from './parse-options.ts'
import { announceDatabase, progress } from './progress.ts'

const usage = `Usage: npm run check-data -- [--fix [--yes]]

Reads the whole database and every image, beside a running server, and prints what is wrong: a damaged database,
references to rows that are not there, a search index or a count that disagrees with the posts, images that are missing
or not what their rows say, images with metadata of their engine, and images that no row knows for an hour. Ends with 1
where anything is.

--fix mends what can be: it makes thumbnails and index entries anew, stores images without their engine's metadata under a
new address, removes what nothing refers to, and moves images that no row knows to quarantine. It asks before it uses a
database and an uploads folder together that do not belong together, and before it moves more images than crashes explain;
--yes says yes. An image that is lost has to come from a backup.`

interface CheckOptions {
  readonly isRepairing: boolean
  /** Says yes to every question. */
  readonly isConfirmed: boolean
}

function readArguments(args: string[]): CheckOptions | 'help' {
  const { values } = parseOptions(
    { args, options: { fix: { type: 'boolean' }, yes: { type: 'boolean' }, help: { type: 'boolean' } } },
    'npm run check-data -- --help says how it is used.',
  )
  if (values.help) return 'help'
  const { fix: isRepairing = false, yes: isConfirmed = false } = values
  if (isConfirmed && !isRepairing) throw new StartError('--yes belongs to --fix.')
  return { isRepairing, isConfirmed }
}

/** The command `check-data`; works beside a running server of the same folder. */
export const checkDataCommand: Command = async (config, _log, terminal, args) => {
  const options = readArguments(args)
  if (options === 'help') return terminal.print(usage)
  const { print } = terminal
  const { databaseFile, uploadsDirectory } = config
  if (!existsSync(databaseFile))
    throw new StartError(`There is nothing to check: ${databaseFile} is not there.`)
  if (!existsSync(uploadsDirectory) && !options.isRepairing)
    throw new StartError(
      `The uploads folder ${uploadsDirectory} is not there. Mount it, or begin a new one with --fix.`,
    )
  await withOneLineErrors('The data could not be checked', () =>
    withExistingDatabase(databaseFile, async ({ db, applied, pending }) => {
      if (pending.length > 0) throw needsUpdate(databaseFile, applied.at(-1))
      const mismatch = await compareUploads(config, db)
      if (mismatch) {
        if (!options.isRepairing) throw mismatchError(mismatch)
        const question = `${capitalized(mismatch.what)}. Use them together from now on?`
        if (!(await confirm(terminal, options, question))) return print('Nothing was changed.')
        await tieUploads(config, db)
        // Not more at once: a yes to this is no yes to moving what the other database left in the folder.
        return print(`They belong together now. Run npm run check-data to see what is missing.`)
      }
      if (options.isRepairing) await tieUploads(config, db)
      announceDatabase(print, await databaseSize(db))
      const site = { db, blobs: await openBlobs(config) }
      await tell(checkData(site, progress(print, 'images')), terminal, options)
    }),
  )
}

/** @throws StartError where nobody can be asked */
async function confirm({ ask }: Terminal, { isConfirmed }: CheckOptions, question: string): Promise<boolean> {
  if (isConfirmed) return true
  if (!ask) throw new StartError(`${question} This is not a terminal: pass --yes to confirm.`)
  return ask(`${question} [y/N] `)
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** Prints the faults, mended or not. */
async function tell(found: AsyncIterable<Fault>, terminal: Terminal, options: CheckOptions): Promise<void> {
  const { print } = terminal
  let [faults, mended, mendable] = [0, 0, 0]
  for await (const { what, mend, question } of found) {
    faults += 1
    if (mend) mendable += 1
    const isRepairing =
      mend !== null &&
      options.isRepairing &&
      (question === undefined || (await confirm(terminal, options, question)))
    if (isRepairing) {
      await mend()
      mended += 1
    }
    print(isRepairing ? `${what}: mended.` : `${what}.`)
  }
  if (faults === 0) return print('Everything is as it should be.')
  if (faults === mended) return print(`${counted(faults, 'fault')} found and mended.`)
  const rest = faults - mended
  const advice =
    options.isRepairing || mendable === 0
      ? 'What is lost has to come from a backup.'
      : `npm run check-data -- --fix mends ${mendable} of them.`
  throw new StartError(
    `${counted(rest, 'fault')} found${mended > 0 ? ` beside ${mended} mended` : ''}. ${advice}`,
  )
}

function needsUpdate(file: string, version = 'nothing of ours'): StartError {
  return new StartError(
    `The database ${file} is of an earlier version (${version}); start the server once, which brings it up to date, then check.`,
  )
}
