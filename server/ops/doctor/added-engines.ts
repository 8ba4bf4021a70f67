import { existsSync } from 'node:fs'
import { parseEngineEntry } from '../../config/engine-section.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/open-database.ts'
import { openReadOnly } from '../../db/sqlite/open-file.ts'
import { EngineSecrets, readAddedEngines, type StoredEngine } from '../../site/added-engines.ts'
import { checkEngine, type EngineCheckOptions } from './engine.ts'
import { problem, type Lines } from './report.ts'

export interface AddedEngineOptions extends EngineCheckOptions {
  /** @throws StartError if it cannot be read */
  readonly siteSecret: (config: Config) => string
}

/** Lists the engines that administrators added; none where the database cannot be read, as `checkDatabase` says. */
export async function listAddedEngines({ database }: Config): Promise<readonly StoredEngine[]> {
  const read = (db: Database) => readAddedEngines(db).catch(() => [])
  if (database.kind === 'postgres') {
    const { withPostgres } = await import('../../db/postgres/open-postgres.ts')
    return withPostgres(database, { warn: () => undefined }, ({ db }) => read(db)).catch(() => [])
  }
  if (!existsSync(database.file)) return []
  const db = openReadOnly(database.file)
  const engines = await read(db)
  await db.destroy()
  return engines
}

/** Checks an engine that administrators added like those of the configuration. */
export async function* checkAddedEngine(
  config: Config,
  stored: StoredEngine,
  options: AddedEngineOptions,
): Lines {
  const where = 'Correct it at /admin/engines.'
  let entry: unknown
  try {
    entry =
      stored.secrets === null ? stored.settings : new EngineSecrets(options.siteSecret(config)).open(stored)
  } catch {
    return yield problem('Its secrets cannot be read with the secret of this site.', where)
  }
  const parsed = parseEngineEntry(entry)
  if ('engine' in parsed) yield* checkEngine(config, parsed.engine, options)
  else yield problem(`This version does not understand its entry. ${parsed.issues.join(' ')}`, where)
}
