import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ErrorCode } from '../../../shared/errors.ts'
import { fitUrl } from '../../../shared/image-files.ts'
import { isFinished, isSucceeded, type Image } from '../../../shared/images.ts'
import { describeFailure } from '../../api/failure.ts'
import { nullIfMissing } from '../../api/missing.ts'
import type { Api } from '../../api/trpc.ts'
import { preload } from '../../images/load-image.ts'
import type { OptionInputs } from './form-options.ts'
import {
  applyEvent,
  describeChange,
  imageFailureMessage,
  isAwaited,
  newImage,
  resultsOf,
  unfinishedIds,
  withImage,
  type Progress,
} from './progress.ts'

export interface GenerateRequest extends OptionInputs {
  readonly prompt: string
  readonly requestKey: string
}

/** The end of a batch: of all its images, or of the call that asked for them or watched them. */
export type BatchEnd =
  | { readonly results: readonly Image[]; readonly wasAwaited: boolean }
  | {
      readonly error: unknown
      /** True for the error of the request, false for that of the subscription. */
      readonly isRequest: boolean
      /** False if the batch had ended before this page joined it. */
      readonly wasAwaited: boolean
    }

/** What a batch reports, and to whom. */
interface BatchOwner {
  readonly i18n: I18n
  readonly images: Api['client']['images']
  announce(message: string): void
  /** Called after each change of `progress`. */
  onChange(): void
  /** Called when the server has accepted, started or finished an image. */
  onImagesChange(): void
  onCancelError(error: unknown): void
  /** Called once, unless the page stops following the batch. */
  onEnd(end: BatchEnd): void
}

/** Delays before retries of `images.generate` that got no response. */
const sendDelaysMs = [400, 1_200, 2_400]

/** Delays before failed subscriptions are reopened, the last one for all further ones. */
const watchDelaysMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

/**
 * The images of one request, which this page follows to their end.
 *
 * The request is repeated with the same key until the server accepts it, so it never starts a second job.
 */
export class RunningBatch {
  readonly #owner: BatchOwner
  /** Aborted at the end, or when the batch is no longer followed. */
  readonly #stop = new AbortController()
  #progress: Progress

  constructor(owner: BatchOwner, start: Pick<Progress, 'key' | 'prompt' | 'size' | 'isOwn'>, ids: Ids) {
    this.#owner = owner
    this.#progress = {
      ...start,
      images: ids.map((id) => newImage(id, Date.now())),
      chosen: null,
      isDisconnected: false,
      isCanceling: false,
      clockLead: 0,
      reusedIds: [],
    }
  }

  get progress(): Progress {
    return this.#progress
  }

  /** @param isRepeated true if an earlier request with the same key may have started the images */
  async send(request: GenerateRequest, isRepeated: boolean): Promise<void> {
    try {
      const { images, isFirstAttempt } = await this.#request(request)
      if (!this.#isOver) this.#accept(images, isFirstAttempt && !isRepeated)
    } catch (error) {
      if (!this.#isOver) this.#end({ error, isRequest: true, wasAwaited: true })
    }
  }

  choose(index: number): void {
    this.#advance({ chosen: index })
  }

  /** Watches the unfinished images to their end, and reopens failed subscriptions. */
  watch(failures = 0): void {
    if (this.#isOver) return
    let hasEvents = false
    const isDone = () => this.#isOver || unfinishedIds(this.#progress).length === 0
    const subscription = this.#owner.images.watch.subscribe(
      { ids: unfinishedIds(this.#progress) },
      {
        onData: ({ data: event }) => {
          if (this.#isOver) return
          hasEvents = true
          if (event.type === 'state' && isFinished(event.image.state)) void this.#finishImage(event.image)
          else this.#advance(applyEvent(this.#progress, event))
        },
        onConnectionStateChange: ({ state, error }) => {
          if (isDone()) return
          if (state === 'pending') this.#advance({ isDisconnected: false })
          else if (state === 'connecting' && error) this.#advance({ isDisconnected: true })
        },
        onComplete: () => {
          if (!isDone()) this.#watchLater(hasEvents ? 0 : failures + 1)
        },
        onError: (error) => {
          if (isDone()) return
          const reason = reasonOf(error)
          if (reason === 'not_found') return void this.#dropDeleted(failures + 1, error)
          if (reason !== null) return this.#abandon(error)
          this.#advance({ isDisconnected: true })
          this.#watchLater(hasEvents ? 0 : failures + 1)
        },
      },
    )
    this.#stop.signal.addEventListener('abort', () => subscription.unsubscribe())
  }

  /** Cancels what is unfinished. An image still succeeds if it finishes first. */
  async cancel(): Promise<void> {
    if (this.#progress.isCanceling) return
    this.#advance({ isCanceling: true })
    // `#accept` cancels it as soon as the server has accepted it.
    if (isAccepted(this.#progress)) await this.#cancelAccepted()
  }

  /** Stops following the batch, which continues on the server. */
  dispose(): void {
    this.#stop.abort()
  }

  get #isOver(): boolean {
    return this.#stop.signal.aborted
  }

  /** Sends a request, with retries until there is a response. */
  async #request(request: GenerateRequest) {
    const { signal } = this.#stop
    for (let failures = 0; ; failures += 1) {
      try {
        const { images } = await this.#owner.images.generate.mutate(request, { signal })
        if (images.length === 0) throw new Error('The response contains no image.')
        return { images, isFirstAttempt: failures === 0 }
      } catch (error) {
        const delayMs = sendDelaysMs[failures]
        if (reasonOf(error) !== null || delayMs === undefined || signal.aborted) throw error
        this.#advance({ isDisconnected: true })
        await untilOnline(delayMs)
        signal.throwIfAborted()
      }
    }
  }

  /** @param isFirst false if an earlier attempt may have started the images */
  #accept(images: readonly Image[], isFirst: boolean): void {
    const since = this.#progress.images[0]?.since ?? Date.now()
    const started = images.find(({ state }) => !isFinished(state))
    this.#advance({
      images: images.map(({ id }) => newImage(id, since)),
      ...(started && { clockLead: Date.now() - Date.parse(started.createdAt) }),
      isDisconnected: false,
      reusedIds: isFirst ? images.filter(isSucceeded).map(({ id }) => id) : [],
    })
    this.#owner.onImagesChange()
    for (const image of images) if (isFinished(image.state)) void this.#finishImage(image)
    this.watch()
    if (this.#progress.isCanceling) void this.#cancelAccepted()
  }

  #watchLater(failures: number): void {
    const delayMs = watchDelaysMs[failures] ?? watchDelaysMs.at(-1) ?? 0
    void untilOnline(delayMs).then(() => this.watch(failures))
  }

  /** Continues without the images that were deleted in another tab: the server watches all or none. */
  async #dropDeleted(failures: number, error: unknown): Promise<void> {
    if (this.#progress.images.length === 1) return this.#abandon(error)
    const deleted = new Set<string | null>()
    await Promise.all(
      unfinishedIds(this.#progress).map(async (id) => {
        // A lost connection says nothing about the image.
        const image = await nullIfMissing(this.#owner.images.get.query({ id })).catch(() => undefined)
        if (image === null) deleted.add(id)
      }),
    )
    if (this.#isOver) return
    const before = this.#progress
    const images = before.images.filter(({ id }) => !deleted.has(id))
    if (images.length === 0) return this.#abandon(error)
    const chosen = images.findIndex(({ id }) => id === before.images[before.chosen ?? -1]?.id)
    this.#advance({ images, chosen: chosen < 0 ? null : chosen })
    if (this.#endIfFinished(before.isOwn) || unfinishedIds(this.#progress).length === 0) return
    if (deleted.size > 0) this.watch(failures)
    else this.#watchLater(failures)
  }

  async #finishImage(image: Image): Promise<void> {
    const known = this.#progress.images.find(({ id }) => id === image.id)
    if (!known || known.phase === 'loading' || known.phase === 'finished') return
    if (isSucceeded(image) && known.preview) {
      this.#advance(withImage(this.#progress, image.id, { phase: 'loading' }))
      await preload(fitUrl(image.photo, 1280))
    }
    if (this.#isOver) return
    const wasAwaited = isAwaited(this.#progress)
    this.#advance(withImage(this.#progress, image.id, { phase: 'finished', result: image, preview: null }))
    if (this.#endIfFinished(wasAwaited)) return
    this.#owner.onImagesChange()
    const total = this.#progress.images.length
    const number = this.#progress.images.findIndex(({ id }) => id === image.id) + 1
    if (isSucceeded(image)) this.#announce(msg`Image ${number} of ${total} is ready.`)
    if (image.state === 'failed') {
      const reason = imageFailureMessage(image, this.#owner.i18n)
      this.#announce(msg`Image ${number} of ${total} failed. ${reason}`)
    }
  }

  #endIfFinished(wasAwaited: boolean): boolean {
    const results = resultsOf(this.#progress)
    if (results.length < this.#progress.images.length) return false
    this.#end({ results, wasAwaited })
    return true
  }

  async #cancelAccepted(): Promise<void> {
    const cancel = async (id: string) => {
      try {
        const image = await this.#owner.images.cancel.mutate({ id })
        // The subscription reports the same, but may be broken.
        if (image.state === 'canceled' && !this.#isOver) await this.#finishImage(image)
      } catch (error) {
        // Deleted in another tab.
        if (reasonOf(error) !== 'not_found') throw error
      }
    }
    const running = new Set(this.#progress.images.flatMap(({ id, phase }) => (phase === 'running' ? id : [])))
    try {
      // Queued images first: they would start, and then count, when a running one ends.
      await Promise.all(unfinishedIds(this.#progress).flatMap((id) => (running.has(id) ? [] : cancel(id))))
      if (!this.#isOver) await Promise.all(unfinishedIds(this.#progress).map(cancel))
    } catch (error) {
      if (this.#isOver) return
      this.#advance({ isCanceling: false })
      this.#owner.onCancelError(error)
    }
  }

  /** Ends a batch that cannot be watched. */
  #abandon(error: unknown): void {
    this.#end({ error, isRequest: false, wasAwaited: isAwaited(this.#progress) })
  }

  #end(end: BatchEnd): void {
    this.#stop.abort()
    this.#owner.onEnd(end)
  }

  #announce(message: MessageDescriptor): void {
    this.#owner.announce(this.#owner.i18n._(message))
  }

  #advance(patch: Partial<Progress>): void {
    const before = this.#progress
    this.#progress = { ...before, ...patch }
    this.#owner.onChange()
    const message = describeChange(before, this.#progress)
    if (message) this.#announce(message)
  }
}

/** Ids of the images of a batch; null for images that the server has not accepted yet. */
type Ids = readonly (string | null)[]

/** Reports whether the server knows the images of a batch. */
export function isAccepted({ images }: Progress): boolean {
  return images.every(({ id }) => id !== null)
}

/** Returns the code with which the server rejected a call; null for a connection error. */
export function reasonOf(error: unknown): ErrorCode | null {
  return describeFailure(error).reason
}

/** Waits until the delay has passed or the browser is online again. */
function untilOnline(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const wait = new AbortController()
    wait.signal.addEventListener('abort', () => resolve())
    setTimeout(() => wait.abort(), delayMs)
    addEventListener('online', () => wait.abort(), { signal: wait.signal })
  })
}
