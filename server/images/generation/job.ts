import { EventEmitter } from 'node:events'
import { z } from 'zod'
import type { ImageEvent } from '../../../shared/images.ts'
import type { ImageRow } from '../images.ts'

/** Event of a job that is not stored in a row. */
type ProgressEvent = Exclude<ImageEvent, { type: 'state' }>

/** Event for the subscribers of an image in this process. */
export type JobEvent =
  | ProgressEvent
  /** The row after a transition by this process. */
  | {
      readonly type: 'changed'
      readonly id: string
      readonly row: ImageRow
      readonly retryAfter?: number | undefined
    }
  /** The row may have changed; or the server does not report further events. */
  | { readonly type: 'stale' | 'closed'; readonly id: string }

/** Generation that this process has claimed, independently of the request that started it. */
export class GenerationJob {
  readonly imageId: string
  /** Row of the image when it was claimed. */
  readonly row: ImageRow
  /** Aborted when the owner cancels the generation. */
  readonly cancellation = new AbortController()
  /** Aborted when another process has settled the generation, or its row was deleted. */
  readonly loss = new AbortController()
  readonly #onEvent: (event: JobEvent) => void
  /** Last event of each type, oldest first, for new subscribers. */
  current: readonly ProgressEvent[] = []

  constructor(row: ImageRow, onEvent: (event: JobEvent) => void) {
    this.imageId = row.id
    this.row = row
    this.#onEvent = onEvent
  }

  emit(event: JobEvent): void {
    if (event.type === 'progress' || event.type === 'preview' || event.type === 'queue') {
      this.current = [...this.current.filter(({ type }) => type !== event.type), event]
    }
    this.#onEvent(event)
  }
}

/** Subscriptions of this process to events of images. */
export class JobEvents {
  readonly #emitter = new EventEmitter<Record<string, [JobEvent]>>().setMaxListeners(0)
  #onIdle: (() => void)[] = []

  count = 0

  has(imageId: string): boolean {
    return this.#emitter.listenerCount(imageId) > 0
  }

  emit(event: JobEvent): void {
    this.#emitter.emit(event.id, event)
  }

  /** Emits an event of each image that has subscribers. */
  emitToAll(eventOf: (id: string) => JobEvent): void {
    for (const imageId of this.#emitter.eventNames()) this.emit(eventOf(imageId))
  }

  /** @returns a function that unsubscribes */
  subscribe(imageIds: readonly string[], listener: (event: JobEvent) => void): () => void {
    for (const imageId of imageIds) this.#emitter.on(imageId, listener)
    this.count += 1
    return () => {
      for (const imageId of imageIds) this.#emitter.off(imageId, listener)
      this.count -= 1
      if (this.count === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
    }
  }

  /** Resolves when there are no subscriptions. */
  async idle(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }
}

const id = z.string()

/** A message as it is sent: previews are too large and stay in a table. Any client of the database can send others. */
export const sentHint = z.discriminatedUnion('type', [
  /** Generations were queued, claimed or canceled. */
  z.object({ type: z.literal('queue') }),
  /** The state of an image changed. */
  z.object({ type: z.literal('changed'), id, isFinished: z.boolean(), retryAfter: z.number().optional() }),
  /** The cancellation of a running generation was requested. */
  z.object({ type: z.literal('cancel'), id }),
  z.object({ type: z.literal('progress'), id, progress: z.number() }),
  z.object({ type: z.literal('preview'), id }),
])

type SentHint = z.output<typeof sentHint>

/**
 * Message to the other processes of the site. Messages are hints that save time: every process also reads the rows at
 * intervals, so that a lost one delays something, and nothing more.
 */
export type Hint =
  | Exclude<SentHint, { type: 'preview' }>
  | (Extract<SentHint, { type: 'preview' }> & { readonly dataUrl: string })

/** Receives the messages of other processes, and `resync` whenever some may have been missed. */
export type HintListener = (hint: Hint | { readonly type: 'resync' }) => void

/** Messages between the processes of a site. */
export interface Notifications {
  /** Sends a message to the other processes. Never throws: a message that can't be sent is dropped. */
  publish(hint: Hint): void
  /** Receives messages from now on, and previews of images that are watched. To be called once. */
  subscribe(listener: HintListener, isWatched: (imageId: string) => boolean): void
  /** Reads the latest preview of an image that another process generates, as a data URL. */
  findPreview(imageId: string): Promise<string | null>
}
