import { Client } from 'pg'
import { sql, type Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { PostgresConfig } from '../database-config.ts'
import type { Schema } from '../schema.ts'

/** Name for LISTEN; each database has channels of its own. */
const channel = 'rangoli'

/** Pause before a lost connection is opened again, in milliseconds. */
const reconnectMinMs = 100
const reconnectMaxMs = 5_000

/** Messages between the processes that use a database, by LISTEN on a connection of its own. */
export class NotificationChannel {
  readonly #config: PostgresConfig
  readonly #log: Logger
  readonly #onMessage: (payload: string) => void
  readonly #onConnected: () => void
  #client: Client | null = null
  #timer: NodeJS.Timeout | undefined
  #pauseMs = reconnectMinMs
  #isClosed = false

  /**
   * Connects in the background, again whenever the connection is lost.
   *
   * @param onConnected called after each connection: earlier messages may have been missed
   */
  constructor(
    config: PostgresConfig,
    log: Logger,
    onMessage: (payload: string) => void,
    onConnected: () => void,
  ) {
    this.#config = config
    this.#log = log
    this.#onMessage = onMessage
    this.#onConnected = onConnected
    void this.#connect()
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#config.listenUrl,
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'rangoli listen',
    })
    this.#client = client
    client.on('error', (err) => this.#reconnect(client, err))
    client.on('end', () => this.#reconnect(client, null))
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#onMessage(payload)
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
      this.#pauseMs = reconnectMinMs
      this.#onConnected()
    } catch (error) {
      this.#reconnect(client, error)
    }
  }

  #reconnect(client: Client, err: unknown): void {
    // A lost connection reports several events.
    if (this.#isClosed || this.#client !== client) return
    this.#client = null
    this.#log.warn({ err }, 'messages of other processes are not received; reconnecting')
    client.end().catch(() => {})
    this.#timer = setTimeout(() => void this.#connect(), this.#pauseMs)
    this.#pauseMs = Math.min(this.#pauseMs * 2, reconnectMaxMs)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#client?.end()
  }
}

/** Sends a message to all processes that listen, this one included. Payloads have less than 8,000 bytes. */
export async function notify(db: Kysely<Schema>, payload: string): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${payload})`.execute(db)
}
