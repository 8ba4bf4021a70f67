import { readFileSync } from 'node:fs'
import path from 'node:path'
import { authSecretFile } from '../../auth/auth-secret.ts'
import { parseEngineEntry } from '../../config/engine-section.ts'
import type { Config } from '../../config/config.ts'
import { EngineSecrets, type StoredEngine } from '../../site/added-engines.ts'
import { checkEngine, type EngineCheckOptions } from './engine.ts'
import { problem, type Lines } from './report.ts'

export interface AddedEngineOptions extends EngineCheckOptions {
  /** @throws StartError if it cannot be read */
  readonly siteSecret: (config: Config) => string
}

/** Checks an engine that administrators added like those of the configuration. */
export async function* checkAddedEngine(
  config: Config,
  stored: StoredEngine,
  options: AddedEngineOptions,
): Lines {
  const where = 'Correct it at /admin/engines.'
  let entry: unknown = stored.settings
  try {
    if (stored.secrets !== null) {
      requireSecret(config)
      entry = new EngineSecrets(options.siteSecret(config)).open(stored)
    }
  } catch {
    return yield problem('Its secrets cannot be read with the secret of this site.', where)
  }
  const parsed = parseEngineEntry(entry)
  if ('engine' in parsed) yield* checkEngine(config, parsed.engine, options)
  else yield problem(`This version does not understand its entry. ${parsed.issues.join(' ')}`, where)
}

/** Rejects a site whose secret would be generated, as the doctor changes nothing. */
function requireSecret({ auth, database }: Config): void {
  if (auth.kind === 'clerk' || auth.secret !== null || database.kind === 'postgres') return
  readFileSync(authSecretFile(path.dirname(database.file)))
}
