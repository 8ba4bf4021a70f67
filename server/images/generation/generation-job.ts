import { AsyncResource } from 'node:async_hooks'
import { EventEmitter, on } from 'node:events'
import type { GenerationEvent } from '../../../shared/images.ts'

/** What may be told of a job while it goes on; how it ended is read from its row. */
export type ProgressEvent = Extract<GenerationEvent, { type: 'queued' | 'started' | 'partial' | 'stopping' }>

/** An image in the making. It belongs to the server: who asked for it may come and go. */
export class GenerationJob {
  readonly imageId: string
  readonly prompt: string
  /** Aborted when its owner cancels it. */
  readonly cancellation = new AbortController()
  /** Seconds after which trying again makes sense, where the error that ended the job says so; outdated too soon for its row. */
  retryAfter: number | undefined
  readonly #emitter = new EventEmitter().setMaxListeners(0)
  /** What somebody who joins now has to be told first: the last event of each kind that still holds. */
  #standing: ProgressEvent[] = []

  /** Of the request that asked for it. */
  readonly #origin = new AsyncResource('GenerationJob')

  constructor(imageId: string, prompt: string) {
    this.imageId = imageId
    this.prompt = prompt
  }

  /** Does work as a part of the request that asked for the job, whichever request's end made room for it. */
  asAsked<Result>(work: () => Result): Result {
    return this.#origin.runInAsyncScope(work)
  }

  tell(event: ProgressEvent): void {
    const kept = this.#standing.filter(({ type }) => type !== event.type && type !== 'queued')
    this.#standing = [...kept, event]
    this.#emitter.emit('progress', event)
  }

  /** To be called once the row says how the job ended. */
  end(): void {
    this.#emitter.emit('end')
  }

  /** Where the job stands, then every change until it ends; rejects when `signal` is aborted. */
  async *follow(signal?: AbortSignal): AsyncGenerator<ProgressEvent> {
    // Listening begins before the first event is handed out, or what happens meanwhile would be missed.
    const changes = on(this.#emitter, 'progress', { close: ['end'], ...(signal && { signal }) })
    try {
      yield* this.#standing
      for await (const [event] of changes as AsyncIterable<[ProgressEvent]>) yield event
    } finally {
      // A subscriber may leave during the first events, before the loop that would close `changes` begins.
      await changes.return?.()
    }
  }
}
