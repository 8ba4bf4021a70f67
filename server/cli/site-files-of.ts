import path from 'node:path'
import { authSecretFile } from '../auth/auth-secret.ts'
import type { SiteFiles } from '../ops/backup/site-files.ts'
import type { Config } from '../config/config.ts'

/** Where the configured site keeps what it can't do without. */
export function siteFilesOf({ databaseFile, uploadsDirectory }: Config): SiteFiles {
  return { databaseFile, uploadsDirectory, secretFile: authSecretFile(path.dirname(databaseFile)) }
}
