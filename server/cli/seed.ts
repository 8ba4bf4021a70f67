import { createServices } from '../services.ts'
import { StartError } from '../errors/start-error.ts'
import { seedGallery } from '../posts/seed-gallery.ts'
import type { Command } from './command.ts'
import { parseOptions } from './parse-options.ts'

const usage = `Usage: npm run seed -- --posts N

Fills the gallery with N posts made from the sample prompts, with images from the embedded engine.`

const postsMax = 10_000_000

/** The command `seed`; works beside a running server of the same folder. */
export const seed: Command = async (config, log, { print }, args) => {
  const { values: options } = parseOptions(
    { args, options: { posts: { type: 'string' }, help: { type: 'boolean' } } },
    'use it like this: npm run seed -- --posts 100',
  )
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
