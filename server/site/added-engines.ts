import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import { secretSettings } from '../../shared/engines.ts'
import { parseEngineEntry, type EngineConfig } from '../config/engine-section.ts'
import type { Database } from '../db/open-database.ts'
import type { Engines } from '../engines/engines.ts'
import type { ImageEngine } from '../engines/image-engine.ts'
import { AppError } from '../errors/app-error.ts'
import { readSiteRows } from './site-options.ts'
import { deriveKey } from '../text/signer.ts'

/** An entry as in the engines file; of a newer version, it may be of any kind. */
export type EngineEntry = Readonly<Record<string, unknown>> & { readonly id: string }

const storedEngine = z.object({ settings: z.looseObject({ id: z.string() }), secrets: z.string().nullable() })

/** An engine that administrators added: its entry without its secrets, and those as encrypted JSON, null without any. */
export type StoredEngine = z.output<typeof storedEngine>

/** Reads the engines that administrators added, in the order in which they are offered. */
export async function readAddedEngines(db: Database): Promise<readonly StoredEngine[]> {
  const stored = (await readSiteRows(db, 'addedEngines')).get('addedEngines')
  return stored === undefined ? [] : parseStored(stored)
}

const parseStored = (text: string) => z.array(storedEngine).parse(JSON.parse(text))

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
    const settings: Record<string, unknown> & { id: string } = { ...entry }
    for (const name of secretSettings) delete settings[name]
    const secrets = secretSettings.filter((name) => name in entry).map((name) => [name, entry[name]])
    if (secrets.length === 0) return { settings, secrets: null }
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(entry.id))
    const text = JSON.stringify(Object.fromEntries(secrets))
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return { settings, secrets: Buffer.concat(sealed).toString('base64') }
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

  /** Returns the whole entry, without its secrets if they cannot be read: the administrator enters them again. */
  openReadable(stored: StoredEngine): EngineEntry {
    try {
      return this.open(stored)
    } catch {
      return stored.settings
    }
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
  readonly secrets: EngineSecrets
  readonly #services: AddedEngineServices
  /** The stored value that is used, or being loaded. */
  #text: string | null = null
  #loaded = Promise.resolve()
  /** Engines, or why they cannot be used, by their stored values, so that the others stay when one changes. */
  #created = new Map<string, ImageEngine | string>()

  constructor(services: AddedEngineServices) {
    this.#services = services
    this.secrets = services.secrets
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

  /** Returns why an engine that was added cannot be used; null if it can. */
  issueOf(stored: StoredEngine): string | null {
    const created = this.#created.get(JSON.stringify(stored))
    return typeof created === 'string' ? created : null
  }

  async #load(text: string | null): Promise<void> {
    const { engines, log } = this.#services
    const created = new Map<string, ImageEngine | string>()
    for (const stored of text === null ? [] : parseStored(text)) {
      const key = JSON.stringify(stored)
      created.set(key, this.#created.get(key) ?? (await this.#open(stored)))
    }
    // A newer value has been read meanwhile.
    if (text !== this.#text) return
    for (const [key, engine] of created)
      if (typeof engine === 'string' && !this.#created.has(key))
        log.error({ issue: engine }, 'an engine that was added on the site cannot be used')
    this.#created = created
    engines.useAdded([...created.values()].filter((engine) => typeof engine !== 'string'))
  }

  async #open(stored: StoredEngine): Promise<ImageEngine | string> {
    try {
      return await this.create(this.secrets.open(stored))
    } catch (error) {
      return error instanceof AppError
        ? `This version of Rangoli does not understand its entry. ${error.message}`
        : 'Its secrets cannot be read with the secret of this site. Enter them again.'
    }
  }
}
