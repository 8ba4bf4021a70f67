import { isFinished, type ImageEvent, type ImageState } from '../../../shared/images.ts'
import type { Database } from '../../db/open-database.ts'
import { AppError } from '../../errors/app-error.ts'
import { noSuchImage, toImage, type ImageRow, type Owned } from '../images.ts'
import type { JobEvent, JobEvents } from './job.ts'
import type { QueuePosition } from './engine-queues.ts'

/** Interval between reads of rows whose job this process does not run, in milliseconds: messages may get lost. */
const pollMs = 3_000

/** Maximum number of undelivered events. Beyond it the oldest preview or progress is dropped. */
const pendingMax = 32

interface WatchServices {
  readonly db: Database
  readonly events: JobEvents
  readonly isLocal: (imageId: string) => boolean
  readonly currentEvents: (imageId: string) => Promise<readonly JobEvent[]>
  readonly positions: () => Promise<readonly QueuePosition[]>
  /** Returns the delay after which a failed generation may be retried, in seconds, unless it failed long ago. */
  readonly retryAfterOf: (imageId: string) => number | undefined
  /** Called once a client has received the image of a generation. */
  readonly onDelivered: (image: ImageRow) => Promise<void>
  readonly usualSeconds: (image: ImageRow) => Promise<number | null>
}

export interface WatchEvent {
  /** Position in the stream, from which a reconnecting client resumes. */
  readonly id: string
  readonly event: ImageEvent
}

/**
 * Yields the current state of each image, then every change, until all are finished or `signal` is aborted. Rows are read
 * at the start, when another process reports a change, and at intervals for images that another process runs. An event id
 * encodes the states that the client has received, so that any process can resume the stream.
 * @throws AppError `not_found` if an image was deleted before it was finished, after all others are finished; `interrupted`
 *   if this server stops before they are
 */
export async function* watchImages(
  services: WatchServices,
  images: readonly Owned<ImageRow>[],
  lastEventId?: string | null,
  signal?: AbortSignal,
): AsyncGenerator<WatchEvent, void> {
  const { db, events, isLocal } = services
  const ids = images.map(({ id }) => id)
  const sent = decodeEventId(lastEventId ?? '', ids)
  const positions = new Map<string, string>()
  const inbox = new Inbox()

  const readRows = async () => {
    const rows = await db
      .selectFrom('images')
      .selectAll()
      .where('id', 'in', ids)
      .where('trashed_at', 'is', null)
      .execute()
    for (const row of rows) inbox.push({ type: 'changed', id: row.id, row })
    const found = new Set(rows.map(({ id }) => id))
    for (const [id, state] of sent) if (!found.has(id) && !isDone(state)) sent.set(id, 'deleted')
    if (!rows.some(({ state, worker }) => state === 'queued' && worker === null)) return
    for (const position of await services.positions()) {
      if (ids.includes(position.id)) inbox.push({ type: 'queue', ...position })
    }
  }
  const stateOf = (id: string) => sent.get(id) ?? null

  async function toImageEvent(event: JobEvent): Promise<ImageEvent | null> {
    switch (event.type) {
      case 'changed': {
        const { row } = event
        if (!isLater(row.state, stateOf(row.id))) return null
        sent.set(row.id, row.state)
        const usualSeconds = await services.usualSeconds(row)
        const retryAfter = services.retryAfterOf(row.id)
        return {
          type: 'state',
          image: toImage(row),
          usualSeconds,
          ...(retryAfter !== undefined && { retryAfter }),
        }
      }
      case 'stale':
        if (!isDone(stateOf(event.id))) await readRows()
        return null
      case 'queue':
        if (stateOf(event.id) !== (event.isSent ? 'running' : 'queued')) return null
        if (positions.get(event.id) === placeOf(event)) return null
        positions.set(event.id, placeOf(event))
        return event
      case 'progress':
      case 'preview':
        return stateOf(event.id) === 'running' ? event : null
      case 'stopping':
        return event
      case 'closed':
        if (isDone(stateOf(event.id))) return null
        throw new AppError('interrupted')
    }
  }

  const wake = () => inbox.wake()
  signal?.addEventListener('abort', wake)
  const unsubscribe = events.subscribe(ids, (event) => inbox.push(event))
  try {
    await readRows()
    for (const id of ids) for (const event of await services.currentEvents(id)) inbox.push(event)

    const isAborted = () => signal?.aborted ?? false
    while (!isAborted()) {
      for (let next = inbox.take(); next; next = inbox.take()) {
        const event = await toImageEvent(next)
        if (event) yield { id: encodeEventId([...sent.values()]), event }
        if (event?.type === 'state' && next.type === 'changed' && next.row.state === 'succeeded')
          await services.onDelivered(next.row)
        if (isAborted()) return
      }
      const unfinished = ids.filter((id) => !isDone(stateOf(id)))
      if (unfinished.length === 0) {
        if ([...sent.values()].includes('deleted')) throw noSuchImage()
        return
      }
      const isPolled = unfinished.some((id) => !isLocal(id))
      if (!(await inbox.wait(isPolled ? pollMs : null))) await readRows()
    }
  } finally {
    signal?.removeEventListener('abort', wake)
    unsubscribe()
  }
}

/** Queue of undelivered events of one subscriber. */
class Inbox {
  readonly #events: JobEvent[] = []
  /** Ends the current wait. */
  wake = () => {}

  push(event: JobEvent): void {
    this.#events.push(event)
    if (this.#events.length > pendingMax) {
      const droppable = this.#events.findIndex(({ type }) => type === 'preview' || type === 'progress')
      if (droppable >= 0) this.#events.splice(droppable, 1)
    }
    this.wake()
  }

  take(): JobEvent | undefined {
    return this.#events.shift()
  }

  /** Waits for the next event, or for `wake`; false if the time passed first. */
  async wait(timeoutMs: number | null): Promise<boolean> {
    if (this.#events.length > 0) return true
    let timer: NodeJS.Timeout | undefined
    const isWoken = await new Promise<boolean>((resolve) => {
      this.wake = () => resolve(true)
      if (timeoutMs !== null) timer = setTimeout(() => resolve(false), timeoutMs)
    })
    clearTimeout(timer)
    return isWoken
  }
}

/** Last state sent to the client; null before the first one, `deleted` if the row does not exist any more. */
type SentState = ImageState | 'deleted' | null

const states = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'deleted'] as const

/** Encodes states by their first letters, which differ. */
function encodeEventId(sent: readonly SentState[]): string {
  return sent.map((state) => state?.[0] ?? '-').join('')
}

/** Decodes the states of images in an event id. An invalid id counts as that of a new client. */
function decodeEventId(eventId: string, ids: readonly string[]): Map<string, SentState> {
  const letters = eventId.length === ids.length ? eventId : ''
  return new Map(ids.map((id, index) => [id, states.find(([letter]) => letter === letters[index]) ?? null]))
}

const order = { queued: 0, running: 1, succeeded: 2, failed: 2, canceled: 2 } as const satisfies Record<
  ImageState,
  number
>

function isLater(state: ImageState, than: SentState): boolean {
  return than === null || (than !== 'deleted' && order[state] > order[than])
}

function isDone(state: SentState): boolean {
  return state === 'deleted' || (state !== null && isFinished(state))
}

/** Identifies what a client shows of a position: the estimated time changes all the while. */
function placeOf({ position, isPaused, isSent }: Extract<JobEvent, { type: 'queue' }>): string {
  return `${position} ${isPaused ?? false} ${isSent ?? false}`
}
