import { z } from 'zod'
import type { DatabaseConfig } from '../db/database-config.ts'
import { wholeNumber } from './variables.ts'

const postgresUrl = /^postgres(?:ql)?:\/\//

const isPostgresUrl = (value: string) =>
  postgresUrl.test(value) && URL.canParse(value) && new URL(value).pathname.length > 1

/** Returns the path of a `file:` URL without a host; null for other values. */
export function sqliteFile(url: string): string | null {
  return /^file:(?:\/\/(?=\/)|(?!\/\/))([^?#]+)$/.exec(url)?.[1] ?? null
}

/** `file:PATH`, transformed to the path, or the URL of a PostgreSQL database. */
const databaseUrl = z
  .string()
  .trim()
  .refine((value) => isPostgresUrl(value) || sqliteFile(value) !== null, {
    error: ({ input }) =>
      typeof input === 'string' && postgresUrl.test(input.trim())
        ? 'must name a host and a database, such as postgres://user:password@localhost/rangoli, with special characters of the password percent-encoded.'
        : 'must be file: and a path, such as file:data/rangoli.db, or the URL of a PostgreSQL database.',
  })

export const databaseSection = z
  .object({
    DATABASE_URL: databaseUrl.default('file:data/rangoli.db'),
    DATABASE_LISTEN_URL: z
      .string()
      .trim()
      .refine(isPostgresUrl, 'must be the URL of a PostgreSQL database.')
      .optional(),
    DATABASE_CONNECTIONS: wholeNumber(2, 1_000).default(10),
  })
  .transform((values): DatabaseConfig => {
    const { DATABASE_URL: url } = values
    const file = sqliteFile(url)
    return file === null
      ? {
          kind: 'postgres',
          url,
          listenUrl: values.DATABASE_LISTEN_URL ?? url,
          maxConnections: values.DATABASE_CONNECTIONS,
        }
      : { kind: 'sqlite', file }
  })
