import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { PostgresConfig } from '../../db/database-config.ts'
import type { Database } from '../../db/open-database.ts'
import { sentHint, type Hint, type HintListener, type Notifications } from './job.ts'

/** Name for LISTEN; each database has channels of its own. */
const channel = 'rangoli'

/** Pause before a lost connection is opened again, in milliseconds. */
const reconnectMinMs = 100
const reconnectMaxMs = 5_000

/** Maximum number of messages that wait to be sent. Beyond it previews and progress are dropped. */
const maxPending = 32

/** A message with the id of the sending process. */
const message = z.object({ from: z.string(), hint: sentHint })

/** Messages between the processes of a site on PostgreSQL: by LISTEN on a connection of its own. */
export class PostgresNotifications implements Notifications {
  readonly #db: Database
  readonly #config: PostgresConfig
  readonly #log: Logger
  readonly #processId = randomUUID()
  /** Messages are sent in order: a preview that arrives after the end of its generation would stay in its table. */
  #sending: Promise<void> = Promise.resolve()
  #pending = 0
  #client: Client | null = null
  #timer: NodeJS.Timeout | undefined
  #pauseMs = reconnectMinMs
  #isClosed = false

  constructor(db: Database, config: PostgresConfig, log: Logger) {
    this.#db = db
    this.#config = config
    this.#log = log
  }

  publish(hint: Hint): void {
    if (this.#pending >= maxPending && (hint.type === 'preview' || hint.type === 'progress')) return
    this.#pending += 1
    this.#sending = this.#sending
      .then(() => this.#send(hint))
      .catch((err: unknown) => this.#log.debug({ err }, 'a message to other processes was not sent'))
      .finally(() => (this.#pending -= 1))
  }

  async #send(hint: Hint): Promise<void> {
    if (hint.type === 'preview') {
      await this.#db
        .insertInto('image_previews')
        .values({ image_id: hint.id, data_url: hint.dataUrl })
        .onConflict((conflict) => conflict.column('image_id').doUpdateSet({ data_url: hint.dataUrl }))
        .execute()
    }
    if (hint.type === 'changed' && hint.isFinished) {
      await this.#db.deleteFrom('image_previews').where('image_id', '=', hint.id).execute()
    }
    const sent: z.output<typeof message> = { from: this.#processId, hint: sentHint.parse(hint) }
    // Payloads have less than 8,000 bytes.
    await sql`SELECT pg_notify(${channel}, ${JSON.stringify(sent)})`.execute(this.#db)
  }

  /** Connects in the background, again whenever the connection is lost. */
  subscribe(listener: HintListener, isWatched: (imageId: string) => boolean): void {
    void this.#connect(listener, isWatched)
  }

  async #connect(listener: HintListener, isWatched: (imageId: string) => boolean): Promise<void> {
    const client = new Client({
      connectionString: this.#config.listenUrl,
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'rangoli listen',
    })
    this.#client = client
    const reconnect = (reason: unknown) => {
      // A lost connection reports several events.
      if (this.#isClosed || this.#client !== client) return
      this.#client = null
      this.#log.warn({ err: reason }, 'messages of other processes are not received; reconnecting')
      client.end().catch(() => {})
      this.#timer = setTimeout(() => void this.#connect(listener, isWatched), this.#pauseMs)
      this.#pauseMs = Math.min(this.#pauseMs * 2, reconnectMaxMs)
    }
    client.on('error', reconnect)
    client.on('end', () => reconnect(null))
    client.on('notification', ({ payload }) => {
      void this.#receive(payload, listener, isWatched)
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
      this.#pauseMs = reconnectMinMs
      // Earlier messages may have been missed.
      listener({ type: 'resync' })
    } catch (error) {
      reconnect(error)
    }
  }

  /** Passes a message on. An error here would end the process: one that is not valid is ignored. */
  async #receive(
    payload: string | undefined,
    listener: HintListener,
    isWatched: (imageId: string) => boolean,
  ): Promise<void> {
    try {
      const { from, hint } = message.parse(JSON.parse(payload ?? ''))
      if (from === this.#processId) return
      if (hint.type !== 'preview') return listener(hint)
      if (!isWatched(hint.id)) return
      const dataUrl = await this.findPreview(hint.id)
      if (dataUrl !== null) listener({ ...hint, dataUrl })
    } catch (err) {
      this.#log.warn({ err }, 'a message of another process was ignored')
    }
  }

  async findPreview(imageId: string): Promise<string | null> {
    const row = await this.#db
      .selectFrom('image_previews')
      .select('data_url')
      .where('image_id', '=', imageId)
      .executeTakeFirst()
    return row?.data_url ?? null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.all([this.#client?.end(), this.#sending])
  }
}
