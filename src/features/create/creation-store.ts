import { errors, messages } from '../../../shared/errors.ts'
import { thumbnailUrl } from '../../../shared/image-files.ts'
import { isFinished, isSucceeded, type Image, type ImageEvent } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { describeFailure } from '../../api/failure.ts'
import { preload } from '../../images/load-image.ts'
import { clearDraft, emptyDraft, readDraft, saveDraft } from './draft.ts'
import type { Draft } from './draft.ts'

/** A user's draft and the state of its generation. */
export interface CreationState {
  readonly draft: Draft
  /** The running generation; null if there is none. */
  readonly progress: Progress | null
  readonly failure: FormFailure | null
}

/** Progress of a generation, as this page knows it. */
export interface Progress {
  /** Null until the server has accepted the generation. */
  readonly imageId: string | null
  readonly prompt: string
  readonly phase: 'sending' | 'queued' | 'running'
  /** Start of the phase, in milliseconds by this browser's clock. */
  readonly since: number
  /** Number of generations ahead of this one. */
  readonly ahead: number
  /** Usual duration of a generation, in seconds; null if unknown. */
  readonly usualSeconds: number | null
  /** Fraction that is done, 0 to 1; null if the engine doesn't report it. */
  readonly share: number | null
  /** Intermediate image, a data URL. */
  readonly preview: string | null
  readonly isStopping: boolean
  /** The connection is lost and is being restored. The generation continues. */
  readonly isDisconnected: boolean
  readonly isCanceling: boolean
  /** Difference between this browser's clock and the server's, in milliseconds. */
  readonly clockLead: number
}

/** An error that is alerted and stays visible in the form. */
export interface FormFailure {
  readonly message: string
  /** True if the session has ended. */
  readonly needsSignIn: boolean
}

/** Converts a failed call to the server's message, or to `fallback` if it has none. */
export function formFailure(error: unknown, fallback: string): FormFailure {
  const { message, reason } = describeFailure(error)
  return { message: message ?? fallback, needsSignIn: reason === 'not_signed_in' }
}

/** The parts of a draft that are sent when it is shared. */
export interface SharedDraft {
  readonly name: string
  readonly prompt: string
  readonly imageId: string
}

interface GenerateRequest {
  readonly prompt: string
  readonly requestKey: string
}

interface Watcher {
  onEvent(event: ImageEvent): void
  onConnected(isConnected: boolean): void
  /** @param error null if the server ended the subscription */
  onEnd(error: unknown): void
}

/** The store's dependencies: API calls, announcements and the clock. */
export interface CreationServices {
  generate(request: GenerateRequest, signal: AbortSignal): Promise<Image>
  /** @returns a function that unsubscribes */
  watch(imageId: string, watcher: Watcher): () => void
  cancel(imageId: string): Promise<Image>
  announce(message: string): void
  alert(message: string): void
  /** Called when the server's list of images and its quota have changed. */
  imagesChanged(): void
  now(): number
}

/** A generation that the store watches. */
interface Run {
  /** Null if it joined an existing image. */
  readonly request: GenerateRequest | null
  /** Aborted when the run ends. */
  readonly ending: AbortController
  /** True once the final state is known. The end of the subscription is then ignored. */
  isFinished: boolean
}

/** Delays before retries of `images.generate` that got no response. */
const sendDelaysMs = [400, 1_200, 2_400]

/** Returns the delay before a failed subscription is reopened, in milliseconds. Exponential, up to a maximum. */
function watchDelayMs(failures: number): number {
  return Math.min(500 * 2 ** failures, 15_000)
}

/**
 * State of a user's draft and of its generation. It outlives the form that shows it.
 *
 * A generation is retried with the same request key until the server accepts it, and is then watched to its end, so it
 * never starts a second job.
 */
export class CreationStore {
  #viewer: Viewer
  readonly #services: CreationServices
  readonly #listeners = new Set<() => void>()
  /** Ids of images that have finished on this page. */
  readonly #finished = new Set<string>()
  #state: CreationState
  #run: Run | null = null
  /** The last request without a response. A retry with its key consumes no second quota. */
  #unanswered: GenerateRequest | null = null
  #formCount = 0

  constructor(viewer: Viewer, services: CreationServices) {
    this.#viewer = viewer
    this.#services = services
    this.#state = { draft: readDraft(viewer), progress: null, failure: null }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getState = (): CreationState => this.#state

  /** Registers a form that shows the draft. Returns a function that unregisters it. */
  readonly show = (): (() => void) => {
    this.#formCount += 1
    const { awaited } = this.#state.draft
    if (awaited !== null) this.#join(awaited, '')
    return () => {
      this.#formCount -= 1
      // The user has seen the error. Later errors are kept until a form shows them.
      this.fail(null)
    }
  }

  readonly change = (patch: Partial<Draft>): void => {
    const draft = { ...this.#state.draft, ...patch }
    saveDraft(draft, this.#viewer.id)
    this.#set({ draft })
  }

  /** Replaces the user's former name in the draft, unless they have typed another one. */
  readonly rename = (viewer: Viewer): void => {
    const former = this.#viewer.firstName
    this.#viewer = viewer
    const isUnchanged = this.#state.draft.name === former
    if (isUnchanged && viewer.firstName !== former) this.change({ name: viewer.firstName })
  }

  /** Clears the shared parts of the draft. Keeps changes that were made while it was being shared. */
  readonly clearShared = (shared: SharedDraft): void => {
    const { draft } = this.#state
    const empty = emptyDraft(this.#viewer)
    const left: Draft = {
      name: draft.name === shared.name ? empty.name : draft.name,
      prompt: draft.prompt === shared.prompt ? '' : draft.prompt,
      image: draft.image?.id === shared.imageId ? null : draft.image,
      awaited: draft.awaited,
    }
    this.#set({ draft: left, failure: null })
    if (isEqual(left, empty)) clearDraft()
    else saveDraft(left, this.#viewer.id)
  }

  /** Shows an error without an alert; null removes it. */
  readonly fail = (failure: FormFailure | null): void => this.#set({ failure })

  /** Generates an image of the draft's prompt. Does nothing while another generation runs. */
  readonly generate = async (): Promise<void> => {
    if (this.#run) return
    const { prompt } = this.#state.draft
    const request =
      this.#unanswered?.prompt === prompt ? this.#unanswered : { prompt, requestKey: newRequestKey() }
    const run = this.#start(request, { imageId: null, prompt })
    try {
      const image = await this.#send(run, request)
      if (this.#run === run) this.#accept(run, image)
    } catch (error) {
      if (this.#run !== run) return
      this.#end(run)
      if (!isRejection(error)) this.#unanswered = request
      this.#explain(error, true)
    }
  }

  /** Watches a generation that was started elsewhere, unless this page has watched it already. */
  readonly pickUp = (image: Image): void => {
    if (this.#run || this.#finished.has(image.id)) return
    if (!this.#state.draft.prompt.trim()) this.change({ prompt: image.prompt })
    this.#join(image.id, image.prompt)
  }

  /** Cancels the generation. It still succeeds if it finishes first. */
  readonly cancel = async (): Promise<void> => {
    const [run, progress] = [this.#run, this.#state.progress]
    if (!run || !progress || progress.isCanceling) return
    this.#advance({ isCanceling: true })
    // `#accept` cancels it as soon as the server has accepted it.
    if (progress.imageId === null) return
    try {
      await this.#cancelAccepted(run, progress.imageId)
    } catch (error) {
      if (this.#run === run) this.fail(formFailure(error, 'The image could not be canceled. Try again.'))
    }
  }

  /** Ends the subscription. The generation continues on the server. */
  dispose(): void {
    this.#run?.ending.abort()
    this.#run = null
    this.#listeners.clear()
  }

  #start(request: GenerateRequest | null, image: { imageId: string | null; prompt: string }): Run {
    const run: Run = { request, ending: new AbortController(), isFinished: false }
    this.#run = run
    const progress: Progress = {
      ...image,
      phase: 'sending',
      since: this.#services.now(),
      ahead: 0,
      usualSeconds: null,
      share: null,
      preview: null,
      isStopping: false,
      isDisconnected: false,
      isCanceling: false,
      clockLead: 0,
    }
    this.#set({ progress, failure: null })
    return run
  }

  #join(imageId: string, prompt: string): void {
    if (this.#run) return
    this.#watch(this.#start(null, { imageId, prompt }), imageId)
  }

  /** Sends a request, with retries until there is a response. */
  async #send(run: Run, request: GenerateRequest): Promise<Image> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#services.generate(request, run.ending.signal)
      } catch (error) {
        const delayMs = sendDelaysMs[failures]
        if (isRejection(error) || delayMs === undefined || run.ending.signal.aborted) throw error
        this.#advance({ isDisconnected: true })
        await untilOnline(delayMs)
        run.ending.signal.throwIfAborted()
      }
    }
  }

  #accept(run: Run, { id, createdAt }: Image): void {
    const isCanceling = this.#state.progress?.isCanceling ?? false
    const clockLead = this.#services.now() - Date.parse(createdAt)
    this.#advance({ imageId: id, clockLead, isDisconnected: false })
    this.change({ awaited: id })
    this.#services.imagesChanged()
    this.#watch(run, id)
    // If this fails, the generation continues.
    if (isCanceling) this.#cancelAccepted(run, id).catch(() => {})
  }

  /** Watches an image to its end, and reopens failed subscriptions. */
  #watch(run: Run, imageId: string, failures = 0): void {
    const { signal } = run.ending
    let hasEvents = false
    const unsubscribe = this.#services.watch(imageId, {
      onEvent: (event) => {
        if (signal.aborted) return
        hasEvents = true
        this.#onEvent(run, event)
      },
      onConnected: (isConnected) => {
        if (!signal.aborted && !run.isFinished) this.#advance({ isDisconnected: !isConnected })
      },
      onEnd: (error) => {
        if (signal.aborted || run.isFinished) return
        if (error === null) return this.#end(run, { awaited: null })
        if (isRejection(error)) return this.#fail(run, error)
        this.#advance({ isDisconnected: true })
        const next = hasEvents ? 0 : failures + 1
        void this.#watchAgain(run, imageId, next)
      },
    })
    signal.addEventListener('abort', unsubscribe)
  }

  async #watchAgain(run: Run, imageId: string, failures: number): Promise<void> {
    await untilOnline(watchDelayMs(failures))
    if (!run.ending.signal.aborted) this.#watch(run, imageId, failures)
  }

  #onEvent(run: Run, event: ImageEvent): void {
    switch (event.type) {
      case 'state':
        return this.#onState(run, event.image, event.usualSeconds)
      case 'queue':
        return this.#advance({ phase: 'queued', ahead: event.position })
      case 'progress':
        // The server sends 0 and 1 itself; only values in between are the engine's.
        return this.#advance({ share: event.progress > 0 && event.progress < 1 ? event.progress : null })
      case 'preview':
        return this.#advance({ preview: event.dataUrl })
      case 'stopping':
        return this.#advance({ isStopping: true })
    }
  }

  #onState(run: Run, image: Image, usualSeconds: number | null): void {
    if (isFinished(image.state)) return void this.#finish(run, image)
    const { progress } = this.#state
    const isKnown = progress?.phase !== 'sending' || run.request !== null
    const start = image.startedAt ?? (isKnown ? null : image.createdAt)
    const now = this.#services.now()
    this.#advance({
      prompt: image.prompt,
      usualSeconds,
      // `queued` is shown only after a `queue` event: most generations start immediately.
      ...(image.state === 'running' && { phase: 'running', ahead: 0 }),
      ...(start !== null && { since: Math.min(now, Date.parse(start) + (progress?.clockLead ?? 0)) }),
    })
    if (this.#state.draft.awaited === image.id) return
    this.change({ awaited: image.id })
    this.#services.imagesChanged()
  }

  async #finish(run: Run, image: Image): Promise<void> {
    run.isFinished = true
    const wasRunning = run.request !== null || this.#state.progress?.phase !== 'sending'
    if (isSucceeded(image)) {
      // Keeps the preview until the final image is loaded.
      if (this.#state.progress?.preview) await preload(thumbnailUrl(image.photo, 640))
      if (this.#run !== run) return
      const { prompt } = this.#state.draft
      this.#end(run, { image, awaited: null, prompt: prompt.trim() ? prompt : image.prompt })
      this.#services.announce('Your image is ready.')
    } else if (image.state === 'canceled') {
      this.#end(run, { awaited: null })
      this.#services.announce('The image is canceled.')
    } else {
      this.#end(run, { awaited: null })
      const failure = image.failure ?? 'internal'
      this.#show({ message: errors[failure].message, needsSignIn: false }, wasRunning)
    }
  }

  async #cancelAccepted(run: Run, imageId: string): Promise<void> {
    try {
      const image = await this.#services.cancel(imageId)
      // The subscription reports the same, but may be broken.
      if (image.state === 'canceled' && this.#run === run) await this.#finish(run, image)
    } catch (error) {
      if (this.#run === run) this.#advance({ isCanceling: false })
      throw error
    }
  }

  #fail(run: Run, error: unknown): void {
    const wasRunning = run.request !== null || this.#state.progress?.phase !== 'sending'
    this.#end(run)
    this.#explain(error, wasRunning)
  }

  #end(run: Run, draft: Partial<Draft> = {}): void {
    const imageId = this.#state.progress?.imageId
    run.ending.abort()
    this.#run = null
    this.#unanswered = null
    if (imageId) this.#finished.add(imageId)
    this.#set({ progress: null })
    this.change(draft)
    this.#services.imagesChanged()
  }

  /** Shows a rejected call. */
  #explain(error: unknown, wasRunning: boolean): void {
    const { reason } = describeFailure(error)
    // Without a session the generation continues, unwatched.
    if (reason !== 'not_signed_in') this.change({ awaited: null })
    // The image was deleted in another tab.
    if (reason === 'not_found') return
    this.#show(formFailure(error, messages.generateFailed), wasRunning)
  }

  /** @param wasRunning false if the generation had ended before this page joined it: then there is no alert */
  #show(failure: FormFailure, wasRunning: boolean): void {
    this.fail(failure)
    if (this.#formCount > 0 && wasRunning) this.#services.alert(failure.message)
  }

  #advance(patch: Partial<Progress>): void {
    const before = this.#state.progress
    if (!before) return
    const after = { ...before, ...patch }
    this.#set({ progress: after })
    const message = describeChange(before, after)
    if (message) this.#services.announce(message)
  }

  #set(patch: Partial<CreationState>): void {
    this.#state = { ...this.#state, ...patch }
    for (const listener of this.#listeners) listener()
  }
}

/** Reports whether the server rejected a call, as opposed to a connection error. */
function isRejection(error: unknown): boolean {
  return describeFailure(error).reason !== null
}

/**
 * Creates an idempotency key. `crypto.randomUUID` is missing on sites that are served over plain HTTP, as is common in
 * home networks.
 *
 * @see https://developer.mozilla.org/en-US/docs/Web/API/Crypto/randomUUID
 */
function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Waits until the delay has passed or the browser is online again. */
function untilOnline(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, delayMs)
    globalThis.addEventListener('online', finish)

    function finish() {
      clearTimeout(timer)
      globalThis.removeEventListener('online', finish)
      resolve()
    }
  })
}

/** Describes a change of state for screen readers; null for previews and progress. */
function describeChange(before: Progress, after: Progress): string | null {
  if (after.phase === 'queued' && (before.phase !== 'queued' || before.ahead !== after.ahead)) {
    return after.ahead === 0 ? 'Your image is next.' : `${aheadSentence(after.ahead)}.`
  }
  if (after.phase === 'running' && before.phase !== 'running') return 'Your image is being generated.'
  if (after.isDisconnected && !before.isDisconnected) return 'The connection was lost and is being restored.'
  if (after.isStopping && !before.isStopping) return 'The server is restarting.'
  return null
}

/** Describes the position in the queue, such as `2 images before yours`. */
export function aheadSentence(ahead: number): string {
  if (ahead === 0) return 'Yours is next'
  return ahead === 1 ? 'One image before yours' : `${ahead} images before yours`
}

function isEqual(one: Draft, other: Draft): boolean {
  return (
    one.name === other.name &&
    one.prompt === other.prompt &&
    one.image === other.image &&
    one.awaited === other.awaited
  )
}
