import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { cannotOpen } from '../db/database-errors.ts'
import { probeDatabase, waitForFileLock, type Release } from '../db/sqlite/file-lock.ts'
import { StartError, isStorageError } from '../errors/app-error.ts'
import { makeFolder, realFile } from '../files/disk-files.ts'
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

  /** Both locks together wait up to `SHUTDOWN_SECONDS` and `closingMs`, in which a predecessor stops; not at all with 0. */
  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
    this.#deadline =
      performance.now() + (config.shutdownSeconds > 0 ? config.shutdownSeconds * 1_000 + closingMs : 0)
  }

  /** Locks a database file; called before anything else opens or migrates it. @throws StartError if another server holds it */
  async lockDatabase(databaseFile: string): Promise<void> {
    try {
      makeFolder(path.dirname(databaseFile))
      // A lock next to what is not a database would stay there.
      if (existsSync(databaseFile)) probeDatabase(databaseFile)
      const taken = `DATABASE_URL: another server is using the database ${databaseFile}`
      await this.#hold(`${await realFile(databaseFile)}.lock`, 'the database', taken)
    } catch (error) {
      throw error instanceof StartError ? error : cannotOpen(databaseFile, error)
    }
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
    const { directory } = storage
    await makeSiteFolder(directory)
    const taken = `UPLOADS_DIR: another server is using the uploads folder ${directory}`
    try {
      await this.#hold(lockFile(directory), 'the uploads folder', taken)
    } catch (err) {
      if (!isStorageError(err)) throw err
      this.#log.warn({ err }, 'the uploads folder cannot be locked against a second server')
    }
  }

  /** Lets the next server start. */
  release(): void {
    for (const release of this.#releases.splice(0)) release()
  }

  /** @throws StartError with the message `taken` if another server holds the lock */
  async #hold(file: string, what: string, taken: string): Promise<void> {
    const seconds = this.#config.shutdownSeconds
    const release = await waitForFileLock(file, this.#deadline, () =>
      this.#log.warn({ seconds }, `waiting for another server to release ${what}`),
    )
    if (!release) throw new StartError(`${taken}. ${advice}`)
    this.#releases.push(release)
  }
}
