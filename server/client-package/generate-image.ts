import { errors, type ErrorCode } from '../../shared/errors.ts'
import {
  isFinished,
  isSucceeded,
  type Image,
  type ImageEvent,
  type ImageState,
  type SucceededImage,
} from '../../shared/images.ts'
import { isRangoliError, siteUrlOf, type RangoliClient } from './client.ts'

/** Input of `images.generate`. */
export type GenerateInput = Parameters<RangoliClient['images']['generate']['mutate']>[0]

export interface GenerateOptions {
  /** Cancels the generation when aborted. `AbortSignal.timeout(ms)` limits its duration, including the wait in the queue. */
  readonly signal?: AbortSignal | undefined
}

/** A finished image, with the address of its JPEG. */
export interface GeneratedImage extends SucceededImage {
  /** Absolute URL of the JPEG, which opens without a token for an hour. */
  readonly url: string
}

/** Event of a generation: those of `watchImages`, and `finished` once an image has succeeded. */
export type GenerationEvent = ImageEvent | { readonly type: 'finished'; readonly image: GeneratedImage }

export interface GenerationResult {
  /** The first of `images`. */
  readonly image: GeneratedImage
  /** All images that were generated, in the order of their seeds. */
  readonly images: readonly GeneratedImage[]
  /** Failures of the other images of a batch. */
  readonly failures: readonly GenerationError[]
}

/**
 * A running generation. Iterating over it yields the events so far, then every further event. The iteration ends when the
 * promise resolves, and throws what the promise rejects with.
 */
export type Generation = Promise<GenerationResult> & AsyncIterable<GenerationEvent>

/** Failure of an image that the site had accepted. `message` is for users, in English. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError'
  /** Error code for programs; `canceled` if the user canceled the generation. */
  readonly reason: ErrorCode
  readonly image: Image
  /** Seconds after which a retry makes sense, if known. */
  readonly retryAfter: number | undefined

  constructor(image: Image, retryAfter?: number) {
    const reason = image.failure ?? 'canceled'
    // A newer site may have codes that this version does not know.
    const known: Partial<typeof errors> = errors
    super(
      image.failureDetail ??
        known[reason]?.message ??
        `The image could not be generated: ${reason as string}.`,
    )
    this.reason = reason
    this.image = image
    this.retryAfter = retryAfter
  }
}

/** Pauses before a request whose response was lost is sent again, in milliseconds. */
const requestRetriesMs = [500, 1_500, 4_000]

/**
 * Pauses before a subscription that a proxy rejected is opened again, in milliseconds: a minute in total, for a restart of
 * the site. After a lost connection the subscription is opened again without them.
 */
const watchRetriesMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/**
 * Generates images and waits for them. Sends the request again, with the same request key, if its response is lost, and
 * resumes if the connection is lost later, so that no image is generated twice.
 *
 * @param client client that `createRangoliClient` has created
 * @returns a promise of the images, which is also an async iterable of events. Leaving the loop does not cancel the
 *   generation
 * @throws RangoliError if the site rejects the request; GenerationError if no image could be generated; the reason of `signal`
 *   if it is aborted; TRPCClientError if the site is unreachable
 *
 * @example
 * const { image } = await generateImage(rangoli, { prompt: 'A peacock in the monsoon' })
 * console.log(image.url)
 *
 * @example
 * const generation = generateImage(rangoli, { prompt: 'A peacock in the monsoon' })
 * for await (const event of generation) {
 *   if (event.type === 'progress') console.log(event.progress)
 * }
 * const { image } = await generation
 */
export function generateImage(
  client: RangoliClient,
  input: GenerateInput,
  { signal }: GenerateOptions = {},
): Generation {
  const events = new EventLog<GenerationEvent>()
  const outcomes = new Map<string, GeneratedImage | GenerationError>()
  let queued: Promise<readonly Image[]> | undefined

  async function run(): Promise<GenerationResult> {
    try {
      const siteUrl = siteUrlOf(client)
      signal?.throwIfAborted()
      queued = queueImages()
      const images = await untilAborted(queued, signal)
      for await (const event of eventsOf(images)) {
        events.push(event)
        if (event.type !== 'state' || !isFinished(event.image.state)) continue
        if (isSucceeded(event.image)) {
          const { path } = await untilAborted(client.images.link.query({ id: event.image.id }), signal)
          const image = { ...event.image, url: new URL(path, siteUrl).href }
          outcomes.set(image.id, image)
          events.push({ type: 'finished', image })
        } else {
          outcomes.set(event.image.id, new GenerationError(event.image, event.retryAfter))
        }
      }
      const result = resultOf(images.map(({ id }) => outcomes.get(id)))
      events.end({})
      return result
    } catch (error) {
      if (signal?.aborted && queued) void cancelUnfinished(queued)
      const failure: unknown = signal?.aborted ? signal.reason : error
      events.end({ error: failure })
      throw failure
    }
  }

  async function queueImages(): Promise<readonly Image[]> {
    const keyed = { ...input, requestKey: input.requestKey ?? createRequestKey() }
    const retries = createRetries(requestRetriesMs)
    for (;;) {
      try {
        // Without the signal: only its response has the ids of the images to cancel.
        return (await client.images.generate.mutate(keyed)).images
      } catch (error) {
        await retries.pause(error)
      }
    }
  }

  /** Yields each state of the images once, and the other events of `watchImages`. */
  async function* eventsOf(images: readonly Image[]): AsyncGenerator<ImageEvent, void> {
    if (images.every(({ state }) => isFinished(state))) {
      for (const image of images) yield { type: 'state', image, usualSeconds: null }
      return
    }
    const ids = images.map(({ id }) => id)
    const states = new Map<string, ImageState>()
    const retries = createRetries(watchRetriesMs)
    for (;;) {
      try {
        for await (const event of watchImages(client, ids, { signal })) {
          retries.reset()
          if (event.type === 'state') {
            // A new subscription repeats the current state.
            if (states.get(event.image.id) === event.image.state) continue
            states.set(event.image.id, event.image.state)
          }
          yield event
        }
        return
      } catch (error) {
        await retries.pause(error)
      }
    }
  }

  /** Creates the pauses between the attempts of a call. `pause` throws an error that another attempt would not change. */
  function createRetries(pausesMs: readonly number[]) {
    let attempt = 0
    return {
      reset: () => void (attempt = 0),
      async pause(error: unknown): Promise<void> {
        const pauseMs = pausesMs[attempt]
        if (isRangoliError(error) || signal?.aborted || pauseMs === undefined) throw error
        attempt += 1
        let timer: ReturnType<typeof setTimeout> | undefined
        const passed = new Promise<void>((resolve) => (timer = setTimeout(resolve, pauseMs)))
        try {
          await untilAborted(passed, signal)
        } finally {
          clearTimeout(timer)
        }
      },
    }
  }

  /** Cancels the images that are not finished, once their ids are known. Nothing waits for it, so that errors are ignored. */
  async function cancelUnfinished(accepted: Promise<readonly Image[]>): Promise<void> {
    try {
      const unfinished = (await accepted).filter(({ id, state }) => !isFinished(state) && !outcomes.has(id))
      await Promise.all(unfinished.map(({ id }) => client.images.cancel.mutate({ id })))
    } catch {}
  }

  const result = run()
  return Object.assign(result, {
    [Symbol.asyncIterator]() {
      // Reported by the iteration.
      result.catch(() => {})
      return events.read()
    },
  })
}

function resultOf(outcomes: readonly (GeneratedImage | GenerationError | undefined)[]): GenerationResult {
  const failures = outcomes.filter((outcome) => outcome instanceof GenerationError)
  const images = outcomes.filter(
    (outcome): outcome is GeneratedImage => outcome !== undefined && !(outcome instanceof GenerationError),
  )
  const [image] = images
  if (image) return { image, images, failures }
  throw failures[0] ?? new Error('The site closed the subscription before an image was finished.')
}

/**
 * Events of images, for any number of readers. Stays small if nothing reads, or a reader is slow: of queue positions,
 * progress and previews only the latest of an image is kept.
 */
class EventLog<Event extends GenerationEvent> {
  /** By key, in the order of their numbers. */
  readonly #events = new Map<string, { readonly event: Event; readonly number: number }>()
  #count = 0
  #end: { readonly error?: unknown } | null = null
  readonly #waiting = new Set<() => void>()

  push(event: Event): void {
    if (event.type === 'finished') {
      const { id } = event.image
      for (const type of ['queue', 'progress', 'preview', 'stopping']) this.#events.delete(`${type} ${id}`)
    }
    const key = keyOf(event)
    // Deleted first, as a map keeps the position of a key that is set again.
    this.#events.delete(key)
    this.#events.set(key, { event, number: ++this.#count })
    this.#wake()
  }

  /** Ends the iterations, unless they are ended, once they have yielded all events, with an error if there is one. */
  end(result: { readonly error?: unknown }): void {
    this.#end ??= result
    this.#wake()
  }

  async *read(): AsyncGenerator<Event, void> {
    let last = 0
    for (;;) {
      // Includes events that are added during the loop.
      for (const { event, number } of this.#events.values()) {
        if (number <= last) continue
        last = number
        yield event
      }
      if (this.#end && 'error' in this.#end) throw this.#end.error
      if (this.#end) return
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

/** Returns the key of an event. A later event of the same key replaces it. */
function keyOf(event: GenerationEvent): string {
  if (event.type === 'state') return `state ${event.image.id} ${event.image.state}`
  return `${event.type} ${event.type === 'finished' ? event.image.id : event.id}`
}

/**
 * Yields the current state of images and every change of it until all are finished; of progress and previews, slow readers get
 * the latest. Reconnects automatically. Breaking out of the loop, or aborting `signal`, ends the subscription; the generations
 * continue.
 *
 * @example
 * const { images } = await rangoli.images.generate.mutate({ prompt: 'A peacock in the monsoon' })
 * for await (const event of watchImages(rangoli, images.map(({ id }) => id))) {
 *   if (event.type === 'state') console.log(event.image.state)
 * }
 *
 * @throws RangoliError if the site rejects the subscription; the abort reason if `signal` is aborted
 */
export async function* watchImages(
  client: Pick<RangoliClient, 'images'>,
  ids: readonly string[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ImageEvent, void> {
  const events = new EventLog<ImageEvent>()
  const onAbort = () => events.end({ error: signal?.reason })
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  const subscription = client.images.watch.subscribe(
    { ids: [...ids] },
    {
      onData: ({ data }) => events.push(data),
      onError: (error) => events.end({ error }),
      onComplete: () => events.end({}),
    },
  )
  try {
    yield* events.read()
  } finally {
    signal?.removeEventListener('abort', onAbort)
    subscription.unsubscribe()
  }
}

/** Waits for a promise. @throws the reason of `signal` as soon as it is aborted */
async function untilAborted<Result>(promise: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) return promise
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop)
  })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', stop))
}

/** Creates a random key. `crypto.randomUUID` is missing in pages that are not loaded over HTTPS. */
function createRequestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
