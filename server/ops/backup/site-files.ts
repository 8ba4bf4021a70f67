/** Where a site keeps what it can't do without; absolute paths. */
export interface SiteFiles {
  readonly databaseFile: string
  readonly uploadsDirectory: string
  /** Signs sessions; not there where the environment brings one. */
  readonly secretFile: string
}

/** Tells how far long work is. */
export type Report = (done: number, total: number) => void
