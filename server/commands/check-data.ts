import { existsSync } from 'node:fs'
import { openBlobs } from '../context.ts'
import { checkData } from '../data-check/check-data.ts'
import type { Fault } from '../data-check/fault.ts'
import { databaseSize } from '../db/copy-database.ts'
import { withDatabaseAsItIs } from '../db/open-as-it-is.ts'
import { StartError } from '../errors/start-error.ts'
import type { Command } from './command.ts'
import { counted } from './counted.ts'
import { withOneLineFaults } from './one-line-faults.ts'
import { parseOptions } from './parse-options.ts'
import { announceDatabase, progress } from './progress.ts'

const usage = `Usage: npm run check-data -- [--fix]

Reads the whole database and every picture, beside a running server, and prints what is wrong: a damaged database,
references to rows that are not there, a search index or a count that disagrees with the posts, pictures that are missing
or not what their rows say, and pictures that no row knows for an hour. Ends with 1 where anything is.

--fix mends what can be: it makes thumbnails and index entries anew, and removes what nothing refers to. A picture that is
lost has to come from a backup.`

/** The command `check-data`; works beside a running server of the same folder. */
export const checkDataCommand: Command = async (config, _log, { print }, args) => {
  const { values: options } = parseOptions(
    { args, options: { fix: { type: 'boolean' }, help: { type: 'boolean' } } },
    'npm run check-data -- --help says how it is used.',
  )
  if (options.help) return print(usage)
  const { databaseFile, uploadsDirectory } = config
  if (!existsSync(databaseFile))
    throw new StartError(`There is nothing to check: ${databaseFile} is not there.`)
  if (!existsSync(uploadsDirectory))
    throw new StartError(`The uploads folder ${uploadsDirectory} is not there.`)
  await withOneLineFaults('The data could not be checked', () =>
    withDatabaseAsItIs(databaseFile, async ({ db, applied, pending }) => {
      if (pending.length > 0) throw needsUpdate(databaseFile, applied.at(-1))
      announceDatabase(print, await databaseSize(db))
      const site = { db, blobs: await openBlobs(config) }
      await tell(checkData(site, progress(print, 'pictures')), print, options.fix ?? false)
    }),
  )
}

/** Prints the faults, mended or not. */
async function tell(
  found: AsyncIterable<Fault>,
  print: (line: string) => void,
  isMending: boolean,
): Promise<void> {
  let [faults, mended, mendable] = [0, 0, 0]
  for await (const { what, mend } of found) {
    faults += 1
    if (mend) mendable += 1
    if (mend && isMending) {
      await mend()
      mended += 1
    }
    print(mend && isMending ? `${what}: mended.` : `${what}.`)
  }
  if (faults === 0) return print('Everything is as it should be.')
  if (faults === mended) return print(`${counted(faults, 'fault')} found and mended.`)
  const rest = faults - mended
  const advice =
    isMending || mendable === 0
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
