import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { ErrorCode } from '../../../shared/errors.ts'
import { thumbnailUrl } from '../../../shared/image-files.ts'
import { isFinished, isSucceeded, type Image, type ImageEvent } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { errorMessages, specifiedMessages } from '../../api/failure-messages.ts'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import type { CreationActivity } from '../../browser/creation-activity.ts'
import { preload } from '../../images/load-image.ts'
import { clearDraft } from './clear-drafts.ts'
import { emptyDraft, readDraft, saveDraft } from './draft.ts'
import type { Draft } from './draft.ts'
import type { OptionInputs, OptionsPatch } from './form-options.ts'

/** A user's draft and the state of its generation. */
export interface CreationState {
  readonly draft: Draft
  /** The running batch; null if there is none. */
  readonly progress: Progress | null
  readonly failure: FormFailure | null
  /** Ids of images of the latest batch that existed before, and were not counted again. */
  readonly reusedIds: readonly string[]
}

/** Progress of a batch, the images of one press of Generate, as this page knows it. */
export interface Progress {
  readonly prompt: string
  /** At least one. */
  readonly images: readonly ImageProgress[]
  /** Index of the image that the user looks at; null: the first unfinished one. */
  readonly chosen: number | null
  /** The connection is lost and is being restored. The generation continues. */
  readonly isDisconnected: boolean
  readonly isCanceling: boolean
  /** Difference between this browser's clock and the server's, in milliseconds. */
  readonly clockLead: number
}

/** Progress of one image. */
export interface ImageProgress {
  /** Null until the server has accepted the batch. */
  readonly id: string | null
  readonly phase: 'sending' | 'queued' | 'running' | 'finished'
  /** Start of the phase, in milliseconds by this browser's clock. */
  readonly since: number
  /** Number of generations ahead of this one. */
  readonly ahead: number
  /** Estimated time until this one starts, in seconds; null if unknown. */
  readonly waitSeconds: number | null
  /** True while the engine is paused. */
  readonly isPaused: boolean
  /** Usual duration of a generation, in seconds; null if unknown. */
  readonly usualSeconds: number | null
  /** Fraction that is done, 0 to 1; null if the engine doesn't report it. */
  readonly share: number | null
  /** Intermediate image, a data URL. */
  readonly preview: string | null
  readonly isStopping: boolean
  /** The finished image; null until `phase` is `finished`. */
  readonly result: Image | null
}

/** Returns the index of the image to show: the user's choice, or the first unfinished one. */
export function shownIndex({ chosen, images }: Progress): number {
  if (chosen !== null) return chosen
  return Math.max(
    images.findIndex(({ result }) => result === null),
    0,
  )
}

/** An error that is alerted and stays visible in the form. */
export interface FormFailure {
  readonly message: string
  /** True if the session has ended. */
  readonly needsSignIn: boolean
}

/** Converts a failed call to the server's message, or to `fallback` if it has none. */
export function formFailure(error: unknown, fallback: MessageDescriptor, i18n: I18n): FormFailure {
  return {
    message: failureMessage(error, i18n) ?? i18n._(fallback),
    needsSignIn: describeFailure(error).reason === 'not_signed_in',
  }
}

/** The parts of a draft that are sent when it is shared. */
export interface SharedDraft {
  readonly name: string
  readonly prompt: string
  readonly imageId: string
}

interface GenerateRequest extends OptionInputs {
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
  readonly i18n: I18n
  generate(request: GenerateRequest, signal: AbortSignal): Promise<readonly Image[]>
  /** @returns a function that unsubscribes */
  watch(imageIds: readonly string[], watcher: Watcher): () => void
  cancel(imageId: string): Promise<Image>
  /** Resolves to false if the image was deleted. */
  exists(imageId: string): Promise<boolean>
  announce(message: string): void
  /** Shows a message on a page without the form, with a link to it. */
  notify(message: string): void
  /** Shows the outcome of a batch outside of the browser if the user does not see the page, and has allowed it. */
  notifyWhenHidden(message: string, prompt: string): Promise<void>
  alert(message: string): void
  /** Called when a batch starts or ends, and when the user looks at its images. */
  report(activity: CreationActivity): void
  /** Called when the server's list of images and its quota have changed. */
  imagesChanged(): void
  now(): number
}

/** A batch that the store watches. */
interface Run {
  /** Null if it joined existing images. */
  readonly request: GenerateRequest | null
  /** Aborted when the run ends. */
  readonly ending: AbortController
  /** Ids of images whose final state is known. */
  readonly finished: Set<string>
}

const newImage: ImageProgress = {
  id: null,
  phase: 'sending',
  since: 0,
  ahead: 0,
  waitSeconds: null,
  isPaused: false,
  usualSeconds: null,
  share: null,
  preview: null,
  isStopping: false,
  result: null,
}

const remixedPostDeleted = msg`The post that you remix, or a reference image, was deleted. Remove it and try again.`
const referenceDeleted = msg`A reference image was deleted. Remove it from the options and try again.`

/** Delays before retries of `images.generate` that got no response. */
const sendDelaysMs = [400, 1_200, 2_400]

/** Returns the delay before a failed subscription is reopened, in milliseconds. Exponential, up to a maximum. */
function watchDelayMs(failures: number): number {
  return Math.min(500 * 2 ** failures, 15_000)
}

/**
 * State of a user's draft and of its batch of images. It outlives the form that shows it.
 *
 * A request is repeated with the same key until the server accepts it, and its images are then watched to their end, so it
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
    this.#state = { draft: readDraft(viewer), progress: null, failure: null, reusedIds: [] }
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
    if (!this.#run) this.#services.report('none')
    if (awaited.length > 0) this.#join(awaited, '')
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
      options: { ...draft.options, remix: null },
      ...(draft.image?.id === shared.imageId
        ? { image: null, batch: [] }
        : { image: draft.image, batch: draft.batch }),
      awaited: draft.awaited,
    }
    this.#set({ draft: left, failure: null, reusedIds: [] })
    if (isEqual(left, empty)) clearDraft()
    else saveDraft(left, this.#viewer.id)
  }

  /** Shows an error without an alert; null removes it. */
  readonly fail = (failure: FormFailure | null): void => this.#set({ failure })

  /** Changes options of the draft. A function gets the current ones, for callers that waited meanwhile. */
  readonly changeOptions = (patch: OptionsPatch): void => {
    const { options } = this.#state.draft
    this.change({ options: { ...options, ...(typeof patch === 'function' ? patch(options) : patch) } })
  }

  /** Generates images of a prompt, by default the draft's. Does nothing while another batch runs. */
  readonly generate = async (
    options: OptionInputs = {},
    prompt = this.#state.draft.prompt,
  ): Promise<void> => {
    if (this.#run) return
    const repeated =
      this.#unanswered && isSameRequest(this.#unanswered, { ...options, prompt }) ? this.#unanswered : null
    const request = repeated ?? { ...options, prompt, requestKey: newRequestKey() }
    const run = this.#start(
      request,
      Array.from({ length: options.count ?? 1 }, () => null),
      prompt,
    )
    try {
      const { images, attempts } = await this.#send(run, request)
      if (this.#run === run) this.#accept(run, images, repeated === null && attempts === 1)
    } catch (error) {
      if (this.#run !== run) return
      this.#end(run)
      if (!isRejection(error)) this.#unanswered = request
      this.#explain(error, true)
    }
  }

  /** Watches a batch that was started elsewhere, unless this page has watched it already. */
  readonly pickUp = (images: readonly Image[]): void => {
    const [first] = images
    if (this.#run || !first || images.every(({ id }) => this.#finished.has(id))) return
    if (!this.#state.draft.prompt.trim()) this.change({ prompt: first.prompt })
    this.#join(
      images.map(({ id }) => id),
      first.prompt,
    )
  }

  /** Shows an image of the running batch, or selects one of the finished batch. */
  readonly choose = (index: number): void => {
    if (this.#state.progress) return this.#set({ progress: { ...this.#state.progress, chosen: index } })
    const image = this.#state.draft.batch[index]
    if (image && isSucceeded(image)) this.change({ image })
  }

  /** Removes a deleted image from the draft: with its batch if it was selected, and from the reference images. */
  readonly remove = (imageId: string): void => {
    const { image, batch, options } = this.#state.draft
    const { references, mask } = options
    this.change({
      ...(image?.id === imageId
        ? { image: null, batch: [] }
        : { batch: batch.filter(({ id }) => id !== imageId) }),
      options: {
        ...options,
        references: references.filter(({ id }) => id !== imageId),
        mask: mask?.id === imageId ? null : mask,
      },
    })
  }

  /** Cancels what is unfinished of the batch. An image still succeeds if it finishes first. */
  readonly cancel = async (): Promise<void> => {
    const [run, progress] = [this.#run, this.#state.progress]
    if (!run || !progress || progress.isCanceling) return
    this.#advance({ isCanceling: true })
    // `#accept` cancels it as soon as the server has accepted it.
    if (progress.images.some(({ id }) => id === null)) return
    try {
      await this.#cancelAccepted(run)
    } catch (error) {
      if (this.#run !== run) return
      const fallback = msg`The image could not be canceled. Try again.`
      this.fail(formFailure(error, fallback, this.#services.i18n))
    }
  }

  /** Ends the subscription. The generation continues on the server. */
  dispose(): void {
    this.#run?.ending.abort()
    this.#run = null
    this.#listeners.clear()
  }

  #start(request: GenerateRequest | null, ids: readonly (string | null)[], prompt: string): Run {
    const run: Run = { request, ending: new AbortController(), finished: new Set() }
    this.#run = run
    const since = this.#services.now()
    const progress: Progress = {
      prompt,
      images: ids.map((id) => ({ ...newImage, id, since })),
      chosen: null,
      isDisconnected: false,
      isCanceling: false,
      clockLead: 0,
    }
    this.#set({ progress, failure: null, reusedIds: [] })
    this.#services.report('running')
    return run
  }

  #join(imageIds: readonly string[], prompt: string): void {
    if (this.#run) return
    this.#watch(this.#start(null, imageIds, prompt))
  }

  /** Sends a request, with retries until there is a response. */
  async #send(run: Run, request: GenerateRequest): Promise<{ images: readonly Image[]; attempts: number }> {
    for (let failures = 0; ; failures += 1) {
      try {
        const images = await this.#services.generate(request, run.ending.signal)
        return { images, attempts: failures + 1 }
      } catch (error) {
        const delayMs = sendDelaysMs[failures]
        if (isRejection(error) || delayMs === undefined || run.ending.signal.aborted) throw error
        this.#advance({ isDisconnected: true })
        await untilOnline(delayMs)
        run.ending.signal.throwIfAborted()
      }
    }
  }

  /** @param isFirstAttempt false if an earlier attempt may have started the images */
  #accept(run: Run, images: readonly Image[], isFirstAttempt: boolean): void {
    const { progress } = this.#state
    const isCanceling = progress?.isCanceling ?? false
    const since = this.#services.now()
    const started = images.find(({ state }) => !isFinished(state))
    this.#advance({
      images: images.map(({ id }) => ({ ...newImage, id, since: progress?.images[0]?.since ?? since })),
      ...(started && { clockLead: since - Date.parse(started.createdAt) }),
      isDisconnected: false,
    })
    if (isFirstAttempt) this.#set({ reusedIds: images.filter(isSucceeded).map(({ id }) => id) })
    this.change({ awaited: images.map(({ id }) => id) })
    this.#services.imagesChanged()
    for (const image of images) if (isFinished(image.state)) void this.#finishImage(run, image)
    if (run.finished.size === images.length) return
    this.#watch(run)
    // If this fails, the generation continues.
    if (isCanceling) this.#cancelAccepted(run).catch(() => {})
  }

  /** Watches the unfinished images to their end, and reopens failed subscriptions. */
  #watch(run: Run, failures = 0): void {
    const { signal } = run.ending
    let hasEvents = false
    const unsubscribe = this.#services.watch(this.#unfinishedIds(run), {
      onEvent: (event) => {
        if (signal.aborted) return
        hasEvents = true
        this.#onEvent(run, event)
      },
      onConnected: (isConnected) => {
        if (!signal.aborted && this.#unfinishedIds(run).length > 0)
          this.#advance({ isDisconnected: !isConnected })
      },
      onEnd: (error) => {
        if (signal.aborted || this.#unfinishedIds(run).length === 0) return
        if (error === null) return this.#end(run, { awaited: [] })
        const next = hasEvents ? 0 : failures + 1
        if (reasonOf(error) === 'not_found') return void this.#dropDeleted(run, error, failures + 1)
        if (isRejection(error)) return this.#fail(run, error)
        this.#advance({ isDisconnected: true })
        void this.#watchAgain(run, next)
      },
    })
    signal.addEventListener('abort', unsubscribe)
  }

  async #watchAgain(run: Run, failures: number): Promise<void> {
    await untilOnline(watchDelayMs(failures))
    if (!run.ending.signal.aborted) this.#watch(run, failures)
  }

  /** Goes on without the images of a batch that were deleted in another tab: the server watches all or none. */
  async #dropDeleted(run: Run, error: unknown, failures: number): Promise<void> {
    if (this.#state.progress?.images.length === 1) return this.#fail(run, error)
    const exists = await Promise.all(
      this.#unfinishedIds(run).map(async (id) => ({
        id,
        // A lost connection says nothing about the image.
        isKept: await this.#services.exists(id).catch(() => true),
      })),
    )
    const { progress } = this.#state
    if (this.#run !== run || !progress) return
    const deleted = new Set(exists.flatMap(({ id, isKept }) => (isKept ? [] : [id])))
    const images = progress.images.filter(({ id }) => id === null || !deleted.has(id))
    if (images.length === 0) return this.#fail(run, error)
    const shown = progress.images[progress.chosen ?? -1]
    const chosen = shown ? images.indexOf(shown) : -1
    this.#advance({ images, chosen: chosen < 0 ? null : chosen })
    this.change({ awaited: images.flatMap(({ id }) => id ?? []) })
    const results = images.flatMap(({ result }) => result ?? [])
    if (results.length === images.length) return this.#finish(run, results, run.request !== null)
    if (this.#unfinishedIds(run).length === 0) return
    if (deleted.size > 0) this.#watch(run, failures)
    else await this.#watchAgain(run, failures)
  }

  #unfinishedIds(run: Run): string[] {
    const ids = this.#state.progress?.images.map(({ id }) => id) ?? []
    return ids.filter((id) => id !== null && !run.finished.has(id)) as string[]
  }

  #onEvent(run: Run, event: ImageEvent): void {
    switch (event.type) {
      case 'state':
        return this.#onState(run, event.image, event.usualSeconds)
      case 'queue':
        return this.#advanceImage(event.id, {
          phase: 'queued',
          ahead: event.position,
          waitSeconds: event.waitSeconds,
          isPaused: event.isPaused === true,
        })
      case 'progress':
        // The server sends 0 and 1 itself; only values in between are the engine's.
        if (event.progress <= 0 || event.progress >= 1) return
        return this.#advanceImage(event.id, { share: event.progress })
      case 'preview':
        return this.#advanceImage(event.id, { preview: event.dataUrl })
      case 'stopping':
        return this.#advanceImage(event.id, { isStopping: true })
    }
  }

  #onState(run: Run, image: Image, usualSeconds: number | null): void {
    if (isFinished(image.state)) return void this.#finishImage(run, image)
    const { progress } = this.#state
    const before = progress?.images.find(({ id }) => id === image.id)
    if (!progress || !before) return
    const isKnown = before.phase !== 'sending' || run.request !== null
    const start = image.startedAt ?? (isKnown ? null : image.createdAt)
    const now = this.#services.now()
    if (progress.prompt !== image.prompt) this.#advance({ prompt: image.prompt })
    this.#advanceImage(image.id, {
      usualSeconds,
      // `queued` is shown only after a `queue` event: most generations start immediately.
      ...(image.state === 'running' && { phase: 'running', ahead: 0, waitSeconds: null }),
      // A resumed generation begins again.
      ...(image.state === 'queued' && { share: null }),
      ...(start !== null && { since: Math.min(now, Date.parse(start) + progress.clockLead) }),
    })
    if (this.#state.draft.awaited.includes(image.id)) return
    this.change({ awaited: progress.images.flatMap(({ id }) => (id === null ? [] : [id])) })
    this.#services.imagesChanged()
  }

  async #finishImage(run: Run, image: Image): Promise<void> {
    const before = this.#state.progress?.images.find(({ id }) => id === image.id)
    if (!before || run.finished.has(image.id)) return
    run.finished.add(image.id)
    const wasRunning = run.request !== null || before.phase !== 'sending'
    // Keeps the preview until the final image is loaded.
    if (isSucceeded(image) && before.preview) await preload(thumbnailUrl(image.photo, 640))
    if (this.#run !== run) return
    this.#finished.add(image.id)
    this.#advanceImage(image.id, { phase: 'finished', result: image, preview: null })
    const images = this.#state.progress?.images ?? []
    const results = images.flatMap(({ result }) => result ?? [])
    if (results.length === images.length) return this.#finish(run, results, wasRunning)
    this.#services.imagesChanged()
    const number = images.findIndex(({ id }) => id === image.id) + 1
    const total = images.length
    if (isSucceeded(image)) this.#announce(msg`Image ${number} of ${total} is ready.`)
    if (image.state === 'failed') {
      const reason = imageFailureMessage(image, this.#services.i18n)
      this.#announce(msg`Image ${number} of ${total} failed. ${reason}`)
    }
  }

  /** Ends a batch whose images are all finished. */
  async #finish(run: Run, results: readonly Image[], wasRunning: boolean): Promise<void> {
    const { draft, progress } = this.#state
    const succeeded = results.filter(isSucceeded)
    const failed = results.filter(({ state }) => state === 'failed')
    const chosen = results[progress?.chosen ?? -1]
    const image = chosen && isSucceeded(chosen) ? chosen : succeeded[0]
    this.#end(run, {
      awaited: [],
      ...(image && {
        image,
        batch: results.length > 1 ? [...results].filter(({ state }) => state !== 'canceled') : [],
        prompt: draft.prompt.trim() ? draft.prompt : image.prompt,
      }),
    })
    if (image && this.#formCount === 0) this.#services.report('ready')
    const message = this.#describeEnd(succeeded.length, failed, results.length)
    // Shown before an alert, which blocks the page.
    if (wasRunning && succeeded.length + failed.length > 0) {
      await this.#services.notifyWhenHidden(message, progress?.prompt ?? draft.prompt)
    }
    if (failed.length > 0) this.#show({ message, needsSignIn: false }, wasRunning)
    else if (this.#formCount > 0) this.#services.announce(message)
    else this.#services.notify(message)
  }

  #describeEnd(succeeded: number, failed: readonly Image[], total: number): string {
    const { i18n } = this.#services
    if (failed.length > 0) {
      const reasons = [...new Set(failed.map((one) => imageFailureMessage(one, i18n)))].join(' ')
      const count = failed.length
      return count < total ? i18n._(msg`${count} of ${total} images failed. ${reasons}`) : reasons
    }
    if (this.#state.reusedIds.length === total) {
      return i18n._(msg`This image exists already. It was not counted.`)
    }
    return i18n._(describeEnd(succeeded, total))
  }

  #announce(message: MessageDescriptor): void {
    this.#services.announce(this.#services.i18n._(message))
  }

  async #cancelAccepted(run: Run): Promise<void> {
    const cancel = async (id: string) => {
      try {
        const image = await this.#services.cancel(id)
        // The subscription reports the same, but may be broken.
        if (image.state === 'canceled' && this.#run === run) await this.#finishImage(run, image)
      } catch (error) {
        // Deleted in another tab.
        if (reasonOf(error) !== 'not_found') throw error
      }
    }
    const isRunning = (id: string) =>
      this.#state.progress?.images.some((image) => image.id === id && image.phase === 'running')
    try {
      // Queued images first: they would start, and then count, when a running one ends.
      await Promise.all(
        this.#unfinishedIds(run)
          .filter((id) => !isRunning(id))
          .map(cancel),
      )
      await Promise.all(this.#unfinishedIds(run).map(cancel))
    } catch (error) {
      if (this.#run === run) this.#advance({ isCanceling: false })
      throw error
    }
  }

  #fail(run: Run, error: unknown): void {
    const images = this.#state.progress?.images ?? []
    const wasRunning = run.request !== null || images.some(({ phase }) => phase !== 'sending')
    this.#end(run)
    // The image was deleted in another tab.
    if (reasonOf(error) === 'not_found') return this.change({ awaited: [] })
    this.#explain(error, wasRunning)
  }

  #end(run: Run, draft: Partial<Draft> = {}): void {
    for (const { id } of this.#state.progress?.images ?? []) if (id !== null) this.#finished.add(id)
    run.ending.abort()
    this.#run = null
    this.#unanswered = null
    this.#set({ progress: null })
    this.#services.report('none')
    this.change(draft)
    this.#services.imagesChanged()
  }

  /** Shows a rejected call. */
  #explain(error: unknown, wasRunning: boolean): void {
    // Without a session the generation continues, unwatched.
    if (reasonOf(error) !== 'not_signed_in') this.change({ awaited: [] })
    // Only what the request names can be missing here: watched images are handled by `#fail`.
    if (reasonOf(error) === 'not_found') {
      const message = this.#state.draft.options.remix ? remixedPostDeleted : referenceDeleted
      this.#show({ message: this.#services.i18n._(message), needsSignIn: false }, wasRunning)
    } else this.#show(formFailure(error, specifiedMessages.generateFailed, this.#services.i18n), wasRunning)
  }

  /** @param wasRunning false if the generation had ended before this page joined it: then there is no alert */
  #show(failure: FormFailure, wasRunning: boolean): void {
    this.fail(failure)
    if (!wasRunning) return
    if (this.#formCount > 0) this.#services.alert(failure.message)
    else this.#services.notify(failure.message)
  }

  #advance(patch: Partial<Progress>): void {
    const before = this.#state.progress
    if (!before) return
    const after = { ...before, ...patch }
    this.#set({ progress: after })
    const message = describeChange(before, after)
    if (message) this.#announce(message)
  }

  #advanceImage(imageId: string, patch: Partial<ImageProgress>): void {
    const images = this.#state.progress?.images.map((image) =>
      image.id === imageId && image.phase !== 'finished' ? { ...image, ...patch } : image,
    )
    if (images) this.#advance({ images })
  }

  #set(patch: Partial<CreationState>): void {
    this.#state = { ...this.#state, ...patch }
    for (const listener of this.#listeners) listener()
  }
}

/** Reports whether the server rejected a call, as opposed to a connection error. */
function isRejection(error: unknown): boolean {
  return reasonOf(error) !== null
}

function reasonOf(error: unknown): ErrorCode | null {
  return describeFailure(error).reason
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
function describeChange(before: Progress, after: Progress): MessageDescriptor | null {
  const [was, is] = [nextImage(before), nextImage(after)]
  if (is?.phase === 'queued' && isAllQueued(after)) {
    if (was?.phase === 'queued' && was.ahead === is.ahead) return null
    return is.ahead === 0
      ? msg`Your image is next.`
      : msg`${plural({ count: is.ahead }, { one: 'One image before yours.', other: '# images before yours.' })}`
  }
  if (is?.phase === 'running' && !hasStarted(before)) {
    return after.images.length === 1
      ? msg`Your image is being generated.`
      : msg`Your images are being generated.`
  }
  if (after.isDisconnected && !before.isDisconnected)
    return msg`The connection was lost and is being restored.`
  const isStopping = ({ images }: Progress) => images.some((image) => image.isStopping)
  return isStopping(after) && !isStopping(before) ? msg`The server is restarting.` : null
}

/** The image of a batch that is finished next. */
function nextImage({ images }: Progress): ImageProgress | undefined {
  return images.find(({ phase }) => phase === 'running') ?? images.find(({ phase }) => phase !== 'finished')
}

function isAllQueued({ images }: Progress): boolean {
  return images.every(({ phase }) => phase === 'queued' || phase === 'sending')
}

function hasStarted({ images }: Progress): boolean {
  return images.some(({ phase }) => phase === 'running' || phase === 'finished')
}

function describeEnd(succeeded: number, total: number): MessageDescriptor {
  if (succeeded === 0) return total === 1 ? msg`The image is canceled.` : msg`The images are canceled.`
  if (total === 1) return msg`Your image is ready.`
  return succeeded === total
    ? msg`All ${total} images are ready.`
    : msg`${succeeded} of ${total} images are ready.`
}

/** Describes the position in the queue, such as `2 images before yours`. */
export function aheadSentence(ahead: number): MessageDescriptor {
  if (ahead === 0) return msg`Yours is next`
  return msg`${plural(ahead, { one: 'One image before yours', other: '# images before yours' })}`
}

/** Returns the reason of a failed image: the engine's, or the one of its code. */
export function imageFailureMessage({ failure, failureDetail }: Image, i18n: I18n): string {
  return failureDetail ?? i18n._(errorMessages[failure ?? 'internal'])
}

function isSameRequest(former: GenerateRequest, request: Omit<GenerateRequest, 'requestKey'>): boolean {
  return JSON.stringify({ ...request, requestKey: former.requestKey }) === JSON.stringify(former)
}

function isEqual(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
