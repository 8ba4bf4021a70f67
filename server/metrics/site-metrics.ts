import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'

/** What is read of the site when it is asked for; each costs next to nothing. Null: not known yet. */
export interface SiteFigures {
  readonly posts: () => Promise<number>
  readonly databaseBytes: () => Promise<number>
  readonly uploadsBytes: () => number | null
  readonly generations: () => { readonly running: number; readonly waiting: number }
}

/**
 * Registers the site's figures. One that can't be read is missing from the answer, and the others are told all
 * the same: they are wanted most when something is broken.
 */
export function watchSite(registry: Registry, figures: SiteFigures, log: Logger): void {
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => Promise<number> | number | null) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.remove()
        try {
          const value = await read()
          if (value !== null) this.set(value)
        } catch (err) {
          log.warn({ err, figure: name }, 'a figure could not be read')
        }
      },
    })
  gauge('rangoli_posts', 'Posts that the gallery shows.', figures.posts)
  gauge('rangoli_database_bytes', 'Bytes of the database with its log.', figures.databaseBytes)
  gauge(
    'rangoli_uploads_bytes',
    'Bytes of the pictures; missing while they are measured.',
    figures.uploadsBytes,
  )
  gauge('rangoli_generations_running', 'Pictures in the making.', () => figures.generations().running)
  gauge(
    'rangoli_generations_waiting',
    'Generations that wait for their turn.',
    () => figures.generations().waiting,
  )
}
