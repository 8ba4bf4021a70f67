export type DatabaseConfig = SqliteConfig | PostgresConfig

export interface SqliteConfig {
  readonly kind: 'sqlite'
  /** Absolute path. */
  readonly file: string
}

export interface PostgresConfig {
  readonly kind: 'postgres'
  /** With the password: `databaseName` returns what may be printed. */
  readonly url: string
  /** URL for LISTEN, which connection poolers do not support; `url` by default. */
  readonly listenUrl: string
  /** Maximum number of connections of this process, without the one that listens. */
  readonly maxConnections: number
}

/** Returns the file of a database, or its URL without password and options. */
export function databaseName(database: DatabaseConfig): string {
  if (database.kind === 'sqlite') return database.file
  const { username, host, pathname } = new URL(database.url)
  return `postgres://${username && `${username}@`}${host}${pathname}`
}
