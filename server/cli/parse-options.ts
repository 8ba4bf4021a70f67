import { parseArgs, type ParseArgsConfig } from 'node:util'
import { StartError } from '../errors/start-error.ts'

/**
 * Node's parseArgs for a command.
 *
 * @param advice how the command is used, said after what is wrong
 * @throws StartError for an option that the command does not know or a value that is missing
 */
export function parseOptions<T extends ParseArgsConfig>(
  config: T,
  advice: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    // Node goes on with advice about its own syntax.
    const [fault = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/)
    throw new StartError(`${fault}; ${advice}`)
  }
}
