import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { PostgresConfig } from '../../db/database-config.ts'
import type { Database } from '../../db/open-database.ts'
import { notify, NotificationChannel } from '../../db/postgres/notification-channel.ts'
import type { Hint, HintListener, Notifications } from './job.ts'

/** Maximum number of messages that wait to be sent. Beyond it previews and progress are dropped. */
const maxPending = 32

/** A message as it is sent: previews are too large and stay in a table. */
interface Message {
  /** Id of the sending process. */
  readonly from: string
  readonly hint: Exclude<Hint, { type: 'preview' }> | { readonly type: 'preview'; readonly id: string }
}

/** Messages between the processes of a site on PostgreSQL. */
export class PostgresNotifications implements Notifications {
  readonly #db: Database
  readonly #config: PostgresConfig
  readonly #log: Logger
  readonly #processId = randomUUID()
  #channel: NotificationChannel | null = null
  /** Messages are sent in order: a preview that arrives after the end of its generation would stay in its table. */
  #sending: Promise<void> = Promise.resolve()
  #pending = 0

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
    if (hint.type === 'preview') await this.#storePreview(hint.id, hint.dataUrl)
    if (hint.type === 'changed' && hint.isFinished) {
      await this.#db.deleteFrom('image_previews').where('image_id', '=', hint.id).execute()
    }
    const message: Message = {
      from: this.#processId,
      hint: hint.type === 'preview' ? { type: 'preview', id: hint.id } : hint,
    }
    await notify(this.#db, JSON.stringify(message))
  }

  async #storePreview(imageId: string, dataUrl: string): Promise<void> {
    await this.#db
      .insertInto('image_previews')
      .values({ image_id: imageId, data_url: dataUrl })
      .onConflict((conflict) => conflict.column('image_id').doUpdateSet({ data_url: dataUrl }))
      .execute()
  }

  subscribe(listener: HintListener, isWatched: (imageId: string) => boolean): void {
    this.#channel = new NotificationChannel(
      this.#config,
      this.#log,
      (payload) => void this.#receive(JSON.parse(payload) as Message, listener, isWatched),
      () => listener({ type: 'resync' }),
    )
  }

  async #receive(
    { from, hint }: Message,
    listener: HintListener,
    isWatched: (imageId: string) => boolean,
  ): Promise<void> {
    if (from === this.#processId) return
    if (hint.type !== 'preview') return listener(hint)
    if (!isWatched(hint.id)) return
    try {
      const dataUrl = await this.findPreview(hint.id)
      if (dataUrl !== null) listener({ ...hint, dataUrl })
    } catch (err) {
      this.#log.debug({ err }, 'a preview of another process could not be read')
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
    await Promise.all([this.#channel?.close(), this.#sending])
  }
}
