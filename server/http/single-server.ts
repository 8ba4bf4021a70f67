import { mkdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { cannotOpen } from '../db/database-errors.ts'
import { waitForFileLock, type Release } from '../db/sqlite/file-lock.ts'
import { StartError, isStorageError } from '../errors/app-error.ts'
import { nullIfMissing } from '../files/disk-files.ts'
import { lockFile, makeSiteFolder } from '../storage/uploads-folder.ts'

/** Time that a stopping server takes beyond `SHUTDOWN_SECONDS` to close its connections and its database. */
const closingMs = 1_000

const advice = 'Stop it first, or give this one its own DATABASE_URL and UPLOADS_DIR.'

/**
 * Ensures that one server at a time uses a site. At startup a server settles the generations that an earlier one had
 * claimed, without waiting for their leases: two servers would fail each other's. The locks end with the process, however it ends, and
 * do not affect commands, which may run at the same time.
 */
export class SingleServer {
  readonly #config: Config
  readonly #log: Logger
  readonly #deadline: number
  readonly #releases: Release[] = []

  /** Both locks together wait up to `SHUTDOWN_SECONDS`, so that a server can start before its predecessor has stopped. */
  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
    this.#deadline =
      performance.now() + (config.shutdownSeconds > 0 ? config.shutdownSeconds * 1_000 + closingMs : 0)
  }

  /**
   * Locks a database file; called before anything opens or migrates it.
   *
   * @throws StartError if another server holds it
   */
  async lockDatabase(databaseFile: string): Promise<void> {
    let release: Release | null
    try {
      await mkdir(path.dirname(databaseFile), { recursive: true, mode: 0o700 })
      release = await this.#hold(`${await resolveLinks(databaseFile)}.lock`, 'the database')
    } catch (error) {
      throw cannotOpen(databaseFile, error)
    }
    if (!release)
      throw new StartError(`DATABASE_URL: another server is using the database ${databaseFile}. ${advice}`)
    this.#releases.push(release)
  }

  /**
   * Locks the uploads folder, if there is one, which another server could use with a copy of the database. Logs a warning on a file system
   * without locks: the database is locked already.
   *
   * @throws StartError if another server holds it
   */
  async lockUploads(): Promise<void> {
    const { storage } = this.#config
    if (storage.kind === 's3') return
    const uploadsDirectory = storage.directory
    await makeSiteFolder(uploadsDirectory)
    let release: Release | null
    try {
      release = await this.#hold(lockFile(uploadsDirectory), 'the uploads folder')
    } catch (err) {
      if (!isStorageError(err)) throw err
      this.#log.warn({ err }, 'the uploads folder cannot be locked against a second server')
      return
    }
    if (!release) {
      throw new StartError(
        `UPLOADS_DIR: another server is using the uploads folder ${uploadsDirectory}. ${advice}`,
      )
    }
    this.#releases.push(release)
  }

  /** Lets the next server start. */
  release(): void {
    for (const release of this.#releases.splice(0)) release()
  }

  #hold(file: string, what: string): Promise<Release | null> {
    const seconds = this.#config.shutdownSeconds
    return waitForFileLock(file, this.#deadline, () =>
      this.#log.warn({ seconds }, `waiting for another server to release ${what}`),
    )
  }
}

/** The real path of a file that may not exist yet. */
async function resolveLinks(file: string): Promise<string> {
  const found = await nullIfMissing(realpath(file))
  return found ?? path.join(await realpath(path.dirname(file)), path.basename(file))
}
