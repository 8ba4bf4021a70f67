import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { createServices } from '../context.ts'
import { StartError } from '../errors/start-error.ts'
import { seedGallery } from '../posts/seed-gallery.ts'

const usage = `Usage: npm run seed -- --posts N

Fills the gallery with N posts made from the sample prompts, with pictures from the embedded engine.`

const postsMax = 10_000_000

/**
 * The command `seed`; works beside a running server of the same folder.
 *
 * @throws StartError for arguments that make no sense
 */
export async function seed(
  config: Config,
  log: Logger,
  print: (line: string) => void,
  args: string[],
): Promise<void> {
  const options = readOptions(args)
  if (options.help) return print(usage)
  const posts = Number(options.posts)
  if (!/^\d{1,8}$/.test(options.posts ?? '') || posts < 1 || posts > postsMax) {
    throw new StartError(
      `--posts must be a whole number from 1 to ${postsMax}; for example: npm run seed -- --posts 100`,
    )
  }
  const services = await createServices({ ...config, engine: { kind: 'rangoli' } }, log)
  try {
    await seedGallery(services, posts, (done) => print(`${done} of ${posts} posts`))
  } finally {
    await services.db.destroy()
  }
}

function readOptions(args: string[]) {
  try {
    return parseArgs({ args, options: { posts: { type: 'string' }, help: { type: 'boolean' } } }).values
  } catch (error) {
    // Node goes on with advice about its own syntax.
    const [fault] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/)
    throw new StartError(`${fault}; use it like this: npm run seed -- --posts 100`)
  }
}
