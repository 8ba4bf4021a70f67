import { AsyncResource } from 'node:async_hooks'
import type { ImageEvent } from '../../../shared/images.ts'
import type { ImageRow } from '../images.ts'

/** Event of a job that is not stored in a row. */
export type ProgressEvent = Exclude<ImageEvent, { type: 'state' }>

/** Event of a job. `changed` contains the row after a transition; `ended` is the last event. */
export type JobEvent =
  | ProgressEvent
  | { readonly type: 'changed'; readonly row: ImageRow; readonly retryAfter?: number | undefined }
  | { readonly type: 'ended' }

/** Generation that this process runs, independently of the request that started it. */
export class GenerationJob {
  readonly imageId: string
  readonly prompt: string
  /** Aborted when the owner cancels the generation. */
  readonly cancellation = new AbortController()
  /** Bytes of the stored original, once the generation has succeeded. */
  original: Uint8Array | null = null
  readonly #listeners = new Set<(event: JobEvent) => void>()
  /** Last event of each type, for new subscribers. */
  #current: readonly ProgressEvent[] = []
  readonly #requestScope = new AsyncResource('GenerationJob')

  constructor(imageId: string, prompt: string) {
    this.imageId = imageId
    this.prompt = prompt
  }

  /** Runs work in the asynchronous context of the request that started the job, so that log lines contain its id. */
  inRequestScope<Result>(work: () => Result): Result {
    return this.#requestScope.runInAsyncScope(work)
  }

  emit(event: JobEvent): void {
    if (event.type !== 'changed' && event.type !== 'ended') {
      this.#current = [...this.#current.filter(({ type }) => type !== event.type), event]
    }
    for (const listener of this.#listeners) listener(event)
  }

  /** Last event of each type, oldest first. */
  get current(): readonly ProgressEvent[] {
    return this.#current
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  /** @returns a function that unsubscribes */
  subscribe(listener: (event: JobEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
