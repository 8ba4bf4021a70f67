import type { AsyncResource } from 'node:async_hooks'
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
      /** Bytes of the stored original, once the generation has succeeded. */
      readonly original?: Uint8Array | undefined
    }
  /** The row may have changed. */
  | { readonly type: 'stale'; readonly id: string; readonly retryAfter?: number | undefined }
  /** The server does not report further events. */
  | { readonly type: 'closed'; readonly id: string }

/** Generation that this process has claimed, independently of the request that started it. */
export class GenerationJob {
  readonly imageId: string
  /** Row of the image when it was claimed. */
  readonly row: ImageRow
  /** Aborted when the owner cancels the generation. */
  readonly cancellation = new AbortController()
  /** Aborted when another process has settled the generation, or its row was deleted. */
  readonly loss = new AbortController()
  readonly #requestScope: AsyncResource
  readonly #onEvent: (event: JobEvent) => void
  /** Last event of each type, for new subscribers. */
  #current: readonly ProgressEvent[] = []

  constructor(row: ImageRow, requestScope: AsyncResource, onEvent: (event: JobEvent) => void) {
    this.imageId = row.id
    this.row = row
    this.#requestScope = requestScope
    this.#onEvent = onEvent
  }

  /** Runs work in the asynchronous context of the request that started the job, so that log lines contain its id. */
  inRequestScope<Result>(work: () => Result): Result {
    return this.#requestScope.runInAsyncScope(work)
  }

  emit(event: JobEvent): void {
    if (event.type === 'progress' || event.type === 'preview') {
      this.#current = [...this.#current.filter(({ type }) => type !== event.type), event]
    }
    this.#onEvent(event)
  }

  /** Last event of each type, oldest first. */
  get current(): readonly ProgressEvent[] {
    return this.#current
  }
}

type Listener = (event: JobEvent) => void

/** Subscriptions of this process to events of images. */
export class JobEvents {
  readonly #listeners = new Map<string, Set<Listener>>()
  #count = 0
  #onIdle: (() => void)[] = []

  /** Number of subscriptions. */
  get count(): number {
    return this.#count
  }

  /** Checks whether an image has subscribers. */
  has(imageId: string): boolean {
    return this.#listeners.has(imageId)
  }

  emit(event: JobEvent): void {
    for (const listener of this.#listeners.get(event.id) ?? []) listener(event)
  }

  /** Emits an event of each image that has subscribers. */
  emitToAll(eventOf: (id: string) => JobEvent): void {
    for (const id of this.#listeners.keys()) this.emit(eventOf(id))
  }

  /** @returns a function that unsubscribes */
  subscribe(imageIds: readonly string[], listener: Listener): () => void {
    for (const id of imageIds) {
      const listeners = this.#listeners.get(id) ?? new Set()
      this.#listeners.set(id, listeners.add(listener))
    }
    this.#count += 1
    return () => {
      for (const id of imageIds) {
        const listeners = this.#listeners.get(id)
        listeners?.delete(listener)
        if (listeners?.size === 0) this.#listeners.delete(id)
      }
      this.#count -= 1
      if (this.#count === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
    }
  }

  /** Resolves when there are no subscriptions. */
  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }
}

/**
 * Message to the other processes of the site. Messages are hints that save time: every process also reads the rows at
 * intervals, so that a lost one delays something, and nothing more.
 */
export type Hint =
  /** Generations were queued, claimed or canceled. */
  | { readonly type: 'queue' }
  /** The state of an image changed. */
  | {
      readonly type: 'changed'
      readonly id: string
      readonly isFinished: boolean
      readonly retryAfter?: number | undefined
    }
  /** The cancellation of a running generation was requested. */
  | { readonly type: 'cancel'; readonly id: string }
  | { readonly type: 'progress'; readonly id: string; readonly progress: number }
  | { readonly type: 'preview'; readonly id: string; readonly dataUrl: string }

/** Receives the messages of other processes, and `resync` whenever some may have been missed. */
export type HintListener = (hint: Hint | { readonly type: 'resync' }) => void

/** Messages between the processes of a site. */
export interface Notifications {
  /** Sends a message to the other processes. Never throws: a message that can't be sent is dropped. */
  publish(hint: Hint): void
  /**
   * Receives messages from now on. To be called once.
   *
   * @param isWatched checks whether previews of an image are needed
   */
  subscribe(listener: HintListener, isWatched: (imageId: string) => boolean): void
  /** Reads the latest preview of an image that another process generates, as a data URL. */
  findPreview(imageId: string): Promise<string | null>
}
