import { AsyncResource } from 'node:async_hooks'
import type { ImageEvent } from '../../../shared/images.ts'
import type { ImageRow } from '../images.ts'

/** Event about a job that no row records. */
export type ProgressEvent = Exclude<ImageEvent, { type: 'state' }>

/** What a job emits. `changed` has the row as a transition wrote it; after `ended` the job emits nothing more. */
export type JobEvent =
  | ProgressEvent
  | { readonly type: 'changed'; readonly row: ImageRow; readonly retryAfter?: number | undefined }
  | { readonly type: 'ended' }

/** A generation that this process runs. It does not depend on the request that started it. */
export class GenerationJob {
  readonly imageId: string
  readonly prompt: string
  /** Aborted when the owner cancels the generation. */
  readonly cancellation = new AbortController()
  /** Bytes of the stored original, once the generation has succeeded. */
  original: Uint8Array | null = null
  readonly #listeners = new Set<(event: JobEvent) => void>()
  /** The last event of each type that still holds, for new subscribers. */
  #current: readonly ProgressEvent[] = []
  readonly #requestScope = new AsyncResource('GenerationJob')

  constructor(imageId: string, prompt: string) {
    this.imageId = imageId
    this.prompt = prompt
  }

  /** Runs work in the asynchronous context of the request that started the job, so that log lines carry its id. */
  inRequestScope<Result>(work: () => Result): Result {
    return this.#requestScope.runInAsyncScope(work)
  }

  emit(event: JobEvent): void {
    if (event.type !== 'changed' && event.type !== 'ended') {
      this.#current = [...this.#current.filter(({ type }) => type !== event.type), event]
    }
    for (const listener of this.#listeners) listener(event)
  }

  /** The last event of each type, oldest first. */
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
