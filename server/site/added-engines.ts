import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import { engineKinds } from '../../shared/engines.ts'
import { parseEngineEntry, secretSettings, type EngineConfig } from '../config/engine-section.ts'
import type { Database } from '../db/open-database.ts'
import type { Engines } from '../engines/engines.ts'
import type { ImageEngine } from '../engines/image-engine.ts'
import { AppError } from '../errors/app-error.ts'
import { deriveKey } from '../text/derive-key.ts'
import { storeSiteRow } from './site-options.ts'

/** An entry as in the engines file. */
export type EngineEntry = Readonly<Record<string, unknown>> & Pick<ImageEngine, 'id' | 'kind' | 'label'>

/** An engine that administrators added, in the order in which they are offered. */
export interface StoredEngine {
  /** The entry without its secrets. */
  readonly settings: EngineEntry
  /** The secrets as encrypted JSON; null without any. */
  readonly secrets: string | null
}

const storedEngine = z.object({
  settings: z.looseObject({ id: z.string(), kind: z.enum(engineKinds), label: z.string() }),
  secrets: z.string().nullable(),
})

export async function readAddedEngines(db: Database): Promise<readonly StoredEngine[]> {
  const row = await db
    .selectFrom('site_options')
    .select('value')
    .where('name', '=', 'addedEngines')
    .executeTakeFirst()
  return row ? z.array(storedEngine).parse(JSON.parse(row.value)) : []
}

export function storeAddedEngines(transaction: Database, engines: readonly StoredEngine[]): Promise<void> {
  return storeSiteRow(transaction, 'addedEngines', engines.length === 0 ? null : engines)
}

/** Bytes of AES-GCM's nonce and tag. */
const [nonceBytes, tagBytes] = [12, 16]

const algorithm = 'aes-256-gcm'

/** Encrypts the secrets of engines with a key that is derived from the secret of the site, for one engine each. */
export class EngineSecrets {
  readonly #key: Buffer

  constructor(siteSecret: string) {
    this.#key = deriveKey(siteSecret, 'engine secrets')
  }

  /** Separates the secrets of an entry, and encrypts them. */
  seal(entry: EngineEntry): StoredEngine {
    const isSecret = ([name]: readonly [string, unknown]) => secretSettings.some((secret) => secret === name)
    const parts = Object.entries(entry)
    const secrets = parts.filter(isSecret)
    const { id, kind, label } = entry
    const settings = { ...Object.fromEntries(parts.filter((part) => !isSecret(part))), id, kind, label }
    if (secrets.length === 0) return { settings, secrets: null }
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(entry.id))
    const text = JSON.stringify(Object.fromEntries(secrets))
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return { settings, secrets: Buffer.concat(sealed).toString('base64') }
  }

  /** Lists the names of an engine's secrets; none if they cannot be read. */
  namesOf(stored: StoredEngine): readonly string[] {
    try {
      const entry = this.open(stored)
      return secretSettings.filter((name) => name in entry)
    } catch {
      return []
    }
  }

  /** Returns the whole entry. @throws Error if the secret of the site has changed since */
  open({ settings, secrets }: StoredEngine): EngineEntry {
    if (secrets === null) return settings
    const sealed = Buffer.from(secrets, 'base64')
    const decipher = createDecipheriv(algorithm, this.#key, sealed.subarray(0, nonceBytes))
      .setAAD(Buffer.from(settings.id))
      .setAuthTag(sealed.subarray(-tagBytes))
    const text = Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()])
    return { ...settings, ...(JSON.parse(text.toString()) as object) }
  }
}

interface AddedEngineServices {
  readonly engines: Engines
  readonly secrets: EngineSecrets
  readonly log: Pick<Logger, 'error'>
  readonly create: (config: EngineConfig) => Promise<ImageEngine>
}

/** Keeps the engines of a process those that administrators added, besides those of its configuration. */
export class AddedEngines {
  readonly #services: AddedEngineServices
  /** The stored value that is used, or being loaded. */
  #text: string | null = null
  #loaded = Promise.resolve()
  /** By their stored values, so that the others stay when one changes. */
  #created = new Map<string, ImageEngine>()

  constructor(services: AddedEngineServices) {
    this.#services = services
  }

  /** Uses the engines of a stored value, null for none, unless they are used already. */
  async use(text: string | null): Promise<void> {
    if (text !== this.#text) {
      this.#text = text
      this.#loaded = this.#load(text)
    }
    await this.#loaded
  }

  /** Creates an engine of an entry, without using it. @throws AppError `bad_input` */
  create(entry: unknown): Promise<ImageEngine> {
    const parsed = parseEngineEntry(entry)
    if ('issues' in parsed) throw new AppError('bad_input', parsed.issues.join(' '))
    return this.#services.create(parsed.engine)
  }

  async #load(text: string | null): Promise<void> {
    const { engines, secrets, log } = this.#services
    const created = new Map<string, ImageEngine>()
    for (const stored of text === null ? [] : z.array(z.unknown()).parse(JSON.parse(text))) {
      const key = JSON.stringify(stored)
      try {
        const known = this.#created.get(key)
        created.set(key, known ?? (await this.create(secrets.open(storedEngine.parse(stored)))))
      } catch (err) {
        // Of a newer version, or encrypted with another secret.
        log.error({ err }, 'an engine that was added on the site cannot be used')
      }
    }
    // A newer value has been read meanwhile.
    if (text !== this.#text) return
    this.#created = created
    engines.useAdded([...created.values()])
  }
}
