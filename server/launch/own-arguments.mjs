import { parseArgs } from 'node:util'

/** What the launcher does itself, and how it is used. @type {Readonly<Record<string, string>>} */
const usages = {
  dev: 'Usage: npm run dev\n\nServes client and server from their sources, and puts changes into the open page.',
  build:
    'Usage: npm run build\n\nBuilds client and server into dist/, where that was not done of the present sources.',
  pack: 'Usage: node server/launch.mjs pack FOLDER\n\nPuts the built program with all that it needs into a folder, for a machine of the same kind.',
}

/**
 * Reads the arguments of what the launcher does itself. Says how it is used where that is asked, and what is wrong in one line.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {{ target: string | undefined } | null} null where there is nothing more to do
 */
export function ownArguments(command, args) {
  const usage = usages[command]
  if (usage === undefined) return { target: undefined }
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: command === 'pack',
      options: { help: { type: 'boolean' } },
    })
    if (!values.help) return { target: positionals[0] }
    process.stdout.write(`${usage}\n`)
  } catch (error) {
    const [fault = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/)
    process.stderr.write(`${fault}; ${usage.split('\n')[0]?.replace('Usage:', 'use it like this:')}\n`)
    process.exitCode = 1
  }
  return null
}
