import type { Command } from 'commander'
import { embeddedEngine } from '../config/engine-section.ts'
import { integerBetween, type CommandContext } from './command.ts'
import { counted, printProgress } from './terminal.ts'

/** Adds `seed`, which runs while the server runs. */
export function addSeedCommand(program: Command, { readConfig, openLog, terminal }: CommandContext): void {
  program
    .command('seed')
    .summary('Fill the gallery with sample posts')
    .description(
      'Fills the gallery with posts of sample prompts, with images of the embedded engine: one for each of the first 500 posts.',
    )
    .usage('--posts N')
    .requiredOption('--posts <n>', 'number of posts', integerBetween(1, 10_000_000))
    .action(async ({ posts }: { posts: number }) => {
      const config = readConfig()
      const [{ createServices }, { seedGallery }] = await Promise.all([
        import('../services.ts'),
        import('../posts/seed-gallery.ts'),
      ])
      const services = await createServices({ ...config, engines: [embeddedEngine] }, openLog(config))
      try {
        await seedGallery(services, posts, printProgress(terminal.print, 'posts'))
        terminal.print(`Added ${counted(posts, 'post')}.`)
      } finally {
        await services[Symbol.asyncDispose]()
      }
    })
}
