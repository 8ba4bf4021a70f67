import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { ErrorCode } from '../../../shared/errors.ts'
import { thumbnailUrl } from '../../../shared/image-files.ts'
import { isFinished, isSucceeded, type Image } from '../../../shared/images.ts'
import type { Post, Visibility } from '../../../shared/posts.ts'
import { pagePaths } from '../../../shared/routes.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { nullIfMissing } from '../../api/missing.ts'
import { showSharedPost } from '../../api/post-lists.ts'
import type { Api } from '../../api/trpc.ts'
import type { CreationActivity } from '../../browser/creation-activity.ts'
import { clearDraft } from '../../browser/apis.ts'
import { preload } from '../../images/load-image.ts'
import type { ToastAction } from '../../ui/announcer.tsx'
import { shorten } from '../../ui/text.tsx'
import { emptyDraft, readDraft, saveDraft, type Draft } from './draft.ts'
import { toReference, type OptionInputs, type OptionsPatch, type ReferenceImage } from './form-options.ts'
import { notifyWhenHidden } from './notifications.ts'
import {
  applyEvent,
  describeChange,
  describeEnd,
  imageFailureMessage,
  isAwaited,
  newImage,
  resultsOf,
  unfinishedIds,
  withImage,
  type Progress,
} from './progress.ts'

/** A user's draft and the state of its generation. */
export interface CreationState {
  readonly draft: Draft
  /** The running batch; null if there is none. */
  readonly progress: Progress | null
  readonly failure: FormFailure | null
  /** Outcome of an import of settings, shown until the next generation; '' if there is none. */
  readonly note: string
  /** Ids of images of the latest batch that existed before, and were not counted again. */
  readonly reusedIds: readonly string[]
  readonly isSharing: boolean
}

/** An error that is alerted and stays visible in the form. */
export interface FormFailure {
  readonly message: string
  /** True if the session has ended. */
  readonly needsSignIn: boolean
}

/** Choices for a new post; without a visibility, the one of the account. */
export interface SharingOptions {
  readonly visibility?: Visibility
  readonly hidePrompt: boolean
  readonly isSensitive: boolean
}

interface GenerateRequest extends OptionInputs {
  readonly prompt: string
  readonly requestKey: string
}

/** What the store needs of the page, which stays the same while the user is signed in. */
export interface CreationPage {
  readonly i18n: I18n
  readonly api: Api
  readonly queryClient: QueryClient
  announce(message: string): void
  toast(message: string, action?: ToastAction): void
  /** Called when a batch starts or ends, and when the user looks at its images. */
  report(activity: CreationActivity): void
}

/** Delays before retries of `images.generate` that got no response. */
const sendDelaysMs = [400, 1_200, 2_400]

/** Delays before failed subscriptions are reopened, the last one for all further ones. */
const watchDelaysMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

/**
 * State of a user's draft and of its batch of images. It outlives the form that shows it.
 *
 * A request is repeated with the same key until the server accepts it, and its images are then watched to their end, so it
 * never starts a second job.
 */
export class CreationStore {
  #viewer: Viewer
  readonly #page: CreationPage
  readonly #listeners = new Set<() => void>()
  #state: CreationState
  /** Aborted when the batch of `progress` ends, or is no longer watched. */
  #batch = new AbortController()
  /** Ids of images of batches that have ended on this page. */
  readonly #ended = new Set<string>()
  /** The last request without a response. A retry with its key consumes no second quota. */
  #unanswered: GenerateRequest | null = null
  #hasForm = false

  constructor(viewer: Viewer, page: CreationPage) {
    this.#viewer = viewer
    this.#page = page
    this.#state = {
      draft: readDraft(viewer),
      progress: null,
      failure: null,
      note: '',
      reusedIds: [],
      isSharing: false,
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getState = (): CreationState => this.#state

  /** Registers the form that shows the draft. Returns a function that unregisters it. */
  readonly show = (): (() => void) => {
    this.#hasForm = true
    const { draft, progress } = this.#state
    if (!progress) {
      this.#page.report('none')
      if (draft.awaited.length > 0) this.#watch(this.#start(draft.awaited, '', false))
    }
    return () => {
      this.#hasForm = false
      // The user has seen the error. Later errors are kept until a form shows them.
      this.#set({ failure: null, note: '' })
    }
  }

  readonly change = (patch: Partial<Draft>): void => {
    const draft = { ...this.#state.draft, ...patch }
    saveDraft(draft, this.#viewer.id)
    this.#set({ draft })
  }

  /** Changes options of the draft. A function gets the current ones, for callers that waited meanwhile. */
  readonly changeOptions = (patch: OptionsPatch): void => {
    const { options } = this.#state.draft
    this.change({ options: { ...options, ...(typeof patch === 'function' ? patch(options) : patch) } })
  }

  /** Adds a reference image to the options, as the last one. */
  readonly addReference = (image: ReferenceImage): void =>
    this.changeOptions(({ references }) => ({
      references: [...references.filter(({ id }) => id !== image.id), toReference(image)],
    }))

  /** Replaces the user's former name in the draft, unless they have typed another one. */
  readonly rename = (viewer: Viewer): void => {
    const former = this.#viewer.firstName
    this.#viewer = viewer
    const isUnchanged = this.#state.draft.name === former
    if (isUnchanged && viewer.firstName !== former) this.change({ name: viewer.firstName })
  }

  /** Shows an error without an alert; null removes it. */
  readonly fail = (failure: FormFailure | null): void => this.#set({ failure })

  /** Shows an error with an alert. */
  readonly alert = (failure: FormFailure | string): void => {
    const shown = typeof failure === 'string' ? { message: failure, needsSignIn: false } : failure
    this.fail(shown)
    alert(shown.message)
  }

  /** Shows and announces the outcome of an import of settings. */
  readonly showNote = (note: string): void => {
    this.#set({ note })
    this.#page.announce(note)
  }

  /** Converts a failed call to the server's message, or to `fallback` if it has none. */
  readonly failureOf = (error: unknown, fallback: MessageDescriptor): FormFailure => ({
    message: failureMessage(error, this.#page.i18n) ?? this.#text(fallback),
    needsSignIn: reasonOf(error) === 'not_signed_in',
  })

  /** Generates images of a prompt, by default the draft's. Does nothing while another batch runs. */
  readonly generate = async (
    options: OptionInputs = {},
    prompt = this.#state.draft.prompt,
  ): Promise<void> => {
    if (this.#state.progress) return
    const repeated =
      this.#unanswered && isSameRequest(this.#unanswered, { ...options, prompt }) ? this.#unanswered : null
    const request = repeated ?? { ...options, prompt, requestKey: newRequestKey() }
    const ids = Array.from({ length: options.count ?? 1 }, () => null)
    const signal = this.#start(ids, prompt, true)
    try {
      const { images, isFirstAttempt } = await this.#send(signal, request)
      if (!signal.aborted) this.#accept(signal, images, isFirstAttempt && !repeated)
    } catch (error) {
      if (signal.aborted) return
      this.#abandon(error, true)
      if (reasonOf(error) === null) this.#unanswered = request
    }
  }

  /** Watches a batch that was started elsewhere, unless this page has watched it already. */
  readonly pickUp = (images: readonly Image[]): void => {
    const [first] = images
    const { draft, progress } = this.#state
    if (progress || !first || images.every(({ id }) => this.#ended.has(id))) return
    const awaited = images.map(({ id }) => id)
    this.change({ awaited, ...(!draft.prompt.trim() && { prompt: first.prompt }) })
    this.#imagesChanged()
    this.#watch(this.#start(awaited, first.prompt, false))
  }

  /** Shows an image of the running batch, or selects one of the finished batch. */
  readonly choose = (index: number): void => {
    const { draft, progress } = this.#state
    if (progress) return this.#advance({ chosen: index })
    const image = draft.batch[index]
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
    const { progress } = this.#state
    if (!progress || progress.isCanceling) return
    this.#advance({ isCanceling: true })
    // `#accept` cancels it as soon as the server has accepted it.
    if (progress.images.every(({ id }) => id !== null)) await this.#cancelAccepted(this.#batch.signal)
  }

  /**
   * Shares the image of the draft, and clears what was shared. Does nothing while another call runs. A retry after a lost
   * response returns the existing post.
   *
   * @returns null if it failed, which is alerted
   */
  readonly share = async (options: SharingOptions): Promise<Post | null> => {
    const { draft, isSharing } = this.#state
    const { name, prompt, image } = draft
    if (isSharing) return null
    if (!prompt.trim() || !image) {
      this.alert(this.#text(msg`Please enter a prompt and generate an image`))
      return null
    }
    this.#set({ isSharing: true, failure: null })
    try {
      const { api, queryClient } = this.#page
      const post = await api.client.posts.create.mutate({ name, prompt, imageId: image.id, ...options })
      // The form keeps its content until the gallery is updated.
      if (post.visibility === 'public') await showSharedPost(api, queryClient, post)
      this.#clearShared(draft)
      return post
    } catch (error) {
      this.alert(this.failureOf(error, msg`Failed to share post`))
      return null
    } finally {
      this.#set({ isSharing: false })
    }
  }

  /** Ends the subscription. The generation continues on the server. */
  dispose(): void {
    this.#batch.abort()
    this.#listeners.clear()
  }

  /** Keeps changes that were made while the draft was being shared. */
  #clearShared(shared: Draft): void {
    const { draft } = this.#state
    const empty = emptyDraft(this.#viewer)
    const left: Draft = {
      ...draft,
      ...(draft.name === shared.name && { name: empty.name }),
      ...(draft.prompt === shared.prompt && { prompt: '' }),
      ...(draft.image?.id === shared.image?.id && { image: null, batch: [] }),
      options: { ...draft.options, remix: null },
    }
    this.#set({ draft: left, failure: null, reusedIds: [] })
    if (JSON.stringify(left) === JSON.stringify(empty)) clearDraft()
    else saveDraft(left, this.#viewer.id)
  }

  /** Returns a signal that is aborted at the end of the batch. */
  #start(ids: readonly (string | null)[], prompt: string, isOwn: boolean): AbortSignal {
    this.#batch = new AbortController()
    const progress: Progress = {
      prompt,
      images: ids.map((id) => newImage(id, Date.now())),
      chosen: null,
      isOwn,
      isDisconnected: false,
      isCanceling: false,
      clockLead: 0,
    }
    this.#set({ progress, failure: null, note: '', reusedIds: [] })
    this.#page.report('running')
    return this.#batch.signal
  }

  /** Sends a request, with retries until there is a response. */
  async #send(signal: AbortSignal, request: GenerateRequest) {
    for (let failures = 0; ; failures += 1) {
      try {
        const { images } = await this.#calls.generate.mutate(request, { signal })
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

  /** @param isFirstAttempt false if an earlier attempt may have started the images */
  #accept(signal: AbortSignal, images: readonly Image[], isFirstAttempt: boolean): void {
    const { progress } = this.#state
    const since = progress?.images[0]?.since ?? Date.now()
    const started = images.find(({ state }) => !isFinished(state))
    this.#advance({
      images: images.map(({ id }) => newImage(id, since)),
      ...(started && { clockLead: Date.now() - Date.parse(started.createdAt) }),
      isDisconnected: false,
    })
    if (isFirstAttempt) this.#set({ reusedIds: images.filter(isSucceeded).map(({ id }) => id) })
    this.change({ awaited: images.map(({ id }) => id) })
    this.#imagesChanged()
    for (const image of images) if (isFinished(image.state)) void this.#finishImage(signal, image)
    if (signal.aborted) return
    this.#watch(signal)
    if (progress?.isCanceling) void this.#cancelAccepted(signal)
  }

  /** Watches the unfinished images to their end, and reopens failed subscriptions. */
  #watch(signal: AbortSignal, failures = 0): void {
    if (signal.aborted) return
    let hasEvents = false
    const isOver = () => signal.aborted || unfinishedIds(this.#state.progress).length === 0
    const subscription = this.#calls.watch.subscribe(
      { ids: unfinishedIds(this.#state.progress) },
      {
        onData: ({ data: event }) => {
          const { progress } = this.#state
          if (signal.aborted || !progress) return
          hasEvents = true
          if (event.type === 'state' && isFinished(event.image.state)) {
            void this.#finishImage(signal, event.image)
          } else this.#advance(applyEvent(progress, event))
        },
        onConnectionStateChange: ({ state, error }) => {
          if (isOver()) return
          if (state === 'pending') this.#advance({ isDisconnected: false })
          else if (state === 'connecting' && error) this.#advance({ isDisconnected: true })
        },
        onComplete: () => {
          if (!isOver()) this.#end({ awaited: [] })
        },
        onError: (error) => {
          if (isOver()) return
          const reason = reasonOf(error)
          if (reason === 'not_found') return void this.#dropDeleted(signal, error, failures + 1)
          if (reason !== null) return this.#abandon(error, false)
          this.#advance({ isDisconnected: true })
          this.#watchLater(signal, hasEvents ? 0 : failures + 1)
        },
      },
    )
    signal.addEventListener('abort', () => subscription.unsubscribe())
  }

  #watchLater(signal: AbortSignal, failures: number): void {
    const delayMs = watchDelaysMs[failures] ?? watchDelaysMs.at(-1) ?? 0
    void untilOnline(delayMs).then(() => this.#watch(signal, failures))
  }

  /** Continues without the images of a batch that were deleted in another tab: the server watches all or none. */
  async #dropDeleted(signal: AbortSignal, error: unknown, failures: number): Promise<void> {
    if (this.#state.progress?.images.length === 1) return this.#abandon(error, false)
    const deleted = new Set<string | null>()
    await Promise.all(
      unfinishedIds(this.#state.progress).map(async (id) => {
        // A lost connection says nothing about the image.
        const image = await nullIfMissing(this.#calls.get.query({ id })).catch(() => undefined)
        if (image === null) deleted.add(id)
      }),
    )
    const { progress } = this.#state
    if (signal.aborted || !progress) return
    const images = progress.images.filter(({ id }) => !deleted.has(id))
    if (images.length === 0) return this.#abandon(error, false)
    const shown = images.findIndex(({ id }) => id === progress.images[progress.chosen ?? -1]?.id)
    const left = { ...progress, images, chosen: shown < 0 ? null : shown }
    this.#advance(left)
    this.change({ awaited: images.flatMap(({ id }) => id ?? []) })
    if (resultsOf(left).length === images.length) return this.#finish(left, left.isOwn)
    if (unfinishedIds(left).length === 0) return
    if (deleted.size > 0) this.#watch(signal, failures)
    else this.#watchLater(signal, failures)
  }

  async #finishImage(signal: AbortSignal, image: Image): Promise<void> {
    const before = this.#state.progress
    const known = before?.images.find(({ id }) => id === image.id)
    if (!before || !known || known.phase === 'loading' || known.phase === 'finished') return
    if (isSucceeded(image) && known.preview) {
      this.#advance(withImage(before, image.id, { phase: 'loading' }))
      await preload(thumbnailUrl(image.photo, 640))
    }
    const { progress } = this.#state
    if (signal.aborted || !progress) return
    const after = withImage(progress, image.id, { phase: 'finished', result: image, preview: null })
    this.#advance(after)
    const total = after.images.length
    if (resultsOf(after).length === total) return this.#finish(after, isAwaited(progress))
    this.#imagesChanged()
    const number = after.images.findIndex(({ id }) => id === image.id) + 1
    if (isSucceeded(image)) this.#announce(msg`Image ${number} of ${total} is ready.`)
    if (image.state === 'failed') {
      const reason = imageFailureMessage(image, this.#page.i18n)
      this.#announce(msg`Image ${number} of ${total} failed. ${reason}`)
    }
  }

  /** Ends a batch whose images are all finished. */
  async #finish(progress: Progress, wasAwaited: boolean): Promise<void> {
    const results = resultsOf(progress)
    const hasFailed = results.some(({ state }) => state === 'failed')
    const chosen = results[progress.chosen ?? -1]
    const image = chosen && isSucceeded(chosen) ? chosen : results.find(isSucceeded)
    const { prompt } = this.#state.draft
    this.#end({
      awaited: [],
      ...(image && {
        image,
        batch: results.length > 1 ? results.filter(({ state }) => state !== 'canceled') : [],
        prompt: prompt.trim() ? prompt : image.prompt,
      }),
    })
    if (image && !this.#hasForm) this.#page.report('ready')
    const isReused = this.#state.reusedIds.length === results.length
    const message = describeEnd(results, isReused, this.#page.i18n)
    // Shown before an alert, which blocks the page.
    if (wasAwaited && (image || hasFailed)) await notifyWhenHidden(message, shorten(progress.prompt))
    if (hasFailed) this.#showEnd({ message, needsSignIn: false }, wasAwaited)
    else if (this.#hasForm) this.#page.announce(message)
    else this.#notify(message)
  }

  /** Shows a message on a page without the form, with a link to it. */
  #notify(message: string): void {
    const label = this.#text(msg({ message: 'Open', comment: 'Button that opens the form' }))
    this.#page.toast(message, { label, href: pagePaths.create })
  }

  async #cancelAccepted(signal: AbortSignal): Promise<void> {
    const cancel = async (id: string) => {
      try {
        const image = await this.#calls.cancel.mutate({ id })
        // The subscription reports the same, but may be broken.
        if (image.state === 'canceled' && !signal.aborted) await this.#finishImage(signal, image)
      } catch (error) {
        // Deleted in another tab.
        if (reasonOf(error) !== 'not_found') throw error
      }
    }
    const running = new Set(
      this.#state.progress?.images.flatMap(({ id, phase }) => (phase === 'running' ? id : [])),
    )
    try {
      // Queued images first: they would start, and then count, when a running one ends.
      await Promise.all(
        unfinishedIds(this.#state.progress).flatMap((id) => (running.has(id) ? [] : cancel(id))),
      )
      if (!signal.aborted) await Promise.all(unfinishedIds(this.#state.progress).map(cancel))
    } catch (error) {
      if (signal.aborted) return
      this.#advance({ isCanceling: false })
      this.fail(this.failureOf(error, msg`The image could not be canceled. Try again.`))
    }
  }

  /**
   * Ends a batch that was not accepted, or cannot be watched.
   *
   * @param isRequest true for the error of the request, false for that of the subscription
   */
  #abandon(error: unknown, isRequest: boolean): void {
    const { progress, draft } = this.#state
    const reason = reasonOf(error)
    // Without a session the generation continues, unwatched.
    this.#end(reason === 'not_signed_in' ? {} : { awaited: [] })
    const failure = this.failureOf(error, msg`Something went wrong!`)
    if (reason !== 'not_found') {
      return this.#showEnd(failure, isRequest || (progress !== null && isAwaited(progress)))
    }
    // Images that are watched were deleted in another tab. Of a request, what it names is missing.
    const missing = draft.options.remix
      ? msg`The post that you remix, or a reference image, was deleted. Remove it and try again.`
      : msg`A reference image was deleted. Remove it from the options and try again.`
    if (isRequest) this.#showEnd({ ...failure, message: this.#text(missing) }, true)
  }

  #end(draft: Partial<Draft> = {}): void {
    for (const { id } of this.#state.progress?.images ?? []) if (id !== null) this.#ended.add(id)
    this.#batch.abort()
    this.#unanswered = null
    this.#set({ progress: null })
    this.#page.report('none')
    this.change(draft)
    this.#imagesChanged()
  }

  /** @param wasAwaited false if the generation had ended before this page joined it: then there is no alert */
  #showEnd(failure: FormFailure, wasAwaited: boolean): void {
    if (wasAwaited && this.#hasForm) return this.alert(failure)
    this.fail(failure)
    if (wasAwaited) this.#notify(failure.message)
  }

  #text(message: MessageDescriptor): string {
    return this.#page.i18n._(message)
  }

  #announce(message: MessageDescriptor): void {
    this.#page.announce(this.#text(message))
  }

  get #calls() {
    return this.#page.api.client.images
  }

  /** Reloads the server's list of images and its quota. */
  #imagesChanged(): void {
    const { images } = this.#page.api
    void images.list.invalidate()
    void images.quota.invalidate()
  }

  #advance(patch: Partial<Progress>): void {
    const before = this.#state.progress
    if (!before) return
    const after = { ...before, ...patch }
    this.#set({ progress: after })
    const message = describeChange(before, after)
    if (message) this.#announce(message)
  }

  #set(patch: Partial<CreationState>): void {
    this.#state = { ...this.#state, ...patch }
    for (const listener of this.#listeners) listener()
  }
}

/** Returns the code with which the server rejected a call; null for a connection error. */
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
    const wait = new AbortController()
    wait.signal.addEventListener('abort', () => resolve())
    setTimeout(() => wait.abort(), delayMs)
    addEventListener('online', () => wait.abort(), { signal: wait.signal })
  })
}

function isSameRequest(former: GenerateRequest, request: Omit<GenerateRequest, 'requestKey'>): boolean {
  return JSON.stringify({ ...request, requestKey: former.requestKey }) === JSON.stringify(former)
}
