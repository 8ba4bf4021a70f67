import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import type { Post, Visibility } from '../../../shared/posts.ts'
import { pagePaths } from '../../../shared/routes.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { failureMessage } from '../../api/failure.ts'
import { showSharedPost } from '../../api/post-lists.ts'
import type { Api } from '../../api/trpc.ts'
import type { CreationActivity } from '../../browser/creation-activity.ts'
import { clearDraft } from '../../browser/apis.ts'
import type { CallFailure } from '../auth/call-failure.tsx'
import type { ToastAction } from '../../ui/announcer.tsx'
import { shorten } from '../../ui/text.tsx'
import { emptyDraft, isSamePrompt, promptToShare, readDraft, saveDraft, type Draft } from './draft.ts'
import { toReference, type OptionInputs, type OptionsPatch, type ReferenceImage } from './form-options.ts'
import { notifyWhenHidden } from '../../browser/device-notifications.ts'
import { describeEnd, type Progress } from './progress.ts'
import { isAccepted, reasonOf, RunningBatch, type BatchEnd, type GenerateRequest } from './running-batch.ts'

/** A user's draft and the state of its generations. */
export interface CreationState {
  readonly draft: Draft
  /** Batches that are being generated, oldest first. */
  readonly running: readonly Progress[]
  /** Key of the running batch that is on the stage; null if the image of the draft is. */
  readonly shown: string | null
  /** An error that is alerted and stays visible in the form. */
  readonly failure: CallFailure | null
  /** Outcome of an import of settings, shown until the next generation; '' if there is none. */
  readonly note: string
  /** Ids of images of the batch on the stage that existed before, and were not counted again. */
  readonly reusedIds: readonly string[]
  readonly isSharing: boolean
}

/** Choices for a new post; without a visibility, the one of the account. */
export interface SharingOptions {
  readonly visibility?: Visibility
  readonly hidePrompt: boolean
  readonly isSensitive: boolean
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

/** A user's draft, and the batches of images that this page follows. It outlives the form that shows it. */
export class CreationStore {
  #viewer: Viewer
  readonly #page: CreationPage
  readonly #listeners = new Set<() => void>()
  #state: CreationState
  /** Oldest first. */
  #batches: readonly RunningBatch[] = []
  /** Ids of images that this page follows, or has followed to their end. */
  readonly #known = new Set<string>()
  /** The last request without a response. A retry with its key consumes no second quota. */
  #unanswered: GenerateRequest | null = null
  #hasForm = false

  constructor(viewer: Viewer, page: CreationPage) {
    this.#viewer = viewer
    this.#page = page
    this.#state = {
      draft: readDraft(viewer),
      running: [],
      shown: null,
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
    if (this.#batches.length === 0) {
      this.#page.report('none')
      for (const ids of this.#state.draft.awaited) this.#join(ids, '', true)
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
  readonly fail = (failure: CallFailure | null): void => this.#set({ failure })

  /** Shows an error with an alert. */
  readonly alert = (failure: CallFailure | string): void => {
    const shown = typeof failure === 'string' ? { message: failure } : failure
    this.fail(shown)
    alert(shown.message)
  }

  /** Shows and announces the outcome of an import of settings. */
  readonly showNote = (note: string): void => {
    this.#set({ note })
    this.#page.announce(note)
  }

  /** Converts a failed call to the server's message, or to `fallback` if it has none. */
  readonly failureOf = (error: unknown, fallback: MessageDescriptor): CallFailure => ({
    message: failureMessage(error, this.#page.i18n) ?? this.#text(fallback),
    needsSignIn: reasonOf(error) === 'not_signed_in',
  })

  /** Generates images of a prompt, by default the draft's. Does nothing while others are generated. */
  readonly generate = async (options: OptionInputs = {}, prompt?: string): Promise<void> => {
    if (this.#batches.length === 0) await this.queue(options, prompt)
  }

  /** Asks for images of a prompt, by default the draft's, after those that are being generated. */
  readonly queue = async (options: OptionInputs = {}, prompt = this.#state.draft.prompt): Promise<void> => {
    const repeated =
      this.#unanswered && isSameRequest(this.#unanswered, { ...options, prompt }) ? this.#unanswered : null
    const request = repeated ?? { ...options, prompt, requestKey: newRequestKey() }
    this.#unanswered = null
    const ids = Array.from({ length: options.count ?? 1 }, () => null)
    const start = { key: request.requestKey, prompt, size: options.size ?? null, isOwn: true }
    await this.#begin(start, ids, request).send(request, repeated !== null)
  }

  /** Follows batches that were started elsewhere, oldest first, unless this page has followed them already. */
  readonly pickUp = (batches: readonly (readonly Image[])[]): void => {
    // The server may have accepted a request whose response is on its way.
    if (!this.#state.running.every(isAccepted)) return
    for (const images of batches) {
      const [first] = images
      if (!first || images.every(({ id }) => this.#known.has(id))) continue
      const { draft } = this.#state
      if (!draft.prompt.trim()) this.change({ prompt: first.prompt })
      this.#join(
        images.map(({ id }) => id),
        first.prompt,
        draft.image === null,
      )
    }
  }

  /** Chooses an image of the batch on the stage. */
  readonly choose = (index: number): void => {
    const { draft } = this.#state
    const batch = this.#batchOf(this.#state.shown)
    if (batch) return batch.choose(index)
    const image = draft.batch[index]
    if (image && isSucceeded(image)) this.change({ image })
  }

  /** Shows a running batch on the stage. */
  readonly follow = (key: string): void => this.#set({ shown: key })

  /** Shows an image on the stage, to be shared, with the batch that it belongs to. */
  readonly select = (image: SucceededImage, batch: readonly Image[] = []): void => {
    this.#set({ shown: null, reusedIds: [] })
    this.change({ image, batch })
  }

  /** Removes a deleted image from the draft. The next one of its batch takes its place. */
  readonly remove = (imageId: string): void => {
    const { draft } = this.#state
    const { references, mask } = draft.options
    const left = draft.batch.filter(({ id }) => id !== imageId)
    this.change({
      ...(draft.image?.id === imageId && { image: left.find(isSucceeded) ?? null }),
      batch: left.length > 1 ? left : [],
      options: {
        ...draft.options,
        references: references.filter(({ id }) => id !== imageId),
        mask: mask?.id === imageId ? null : mask,
      },
    })
  }

  /** Cancels what is unfinished of a running batch. */
  readonly cancel = async (key: string): Promise<void> => this.#batchOf(key)?.cancel()

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
      const call = { name, prompt: promptToShare(draft), imageId: image.id, ...options }
      const post = await api.client.posts.create.mutate(call)
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

  /** Ends the subscriptions. The generations continue on the server. */
  dispose(): void {
    for (const batch of this.#batches) batch.dispose()
    this.#listeners.clear()
  }

  /** Keeps changes that were made while the draft was being shared. */
  #clearShared(shared: Draft): void {
    const { draft } = this.#state
    const empty = emptyDraft(this.#viewer)
    const left: Draft = {
      ...draft,
      ...(draft.name === shared.name && { name: empty.name }),
      // Words that did not make the image are for the next one.
      ...(draft.prompt === shared.prompt &&
        isSamePrompt(shared.prompt, promptToShare(shared)) && { prompt: '' }),
      ...(draft.image?.id === shared.image?.id && { image: null, batch: [] }),
      options: { ...draft.options, remix: null },
    }
    this.#set({ draft: left, failure: null, reusedIds: [] })
    if (JSON.stringify(left) === JSON.stringify(empty)) clearDraft()
    else saveDraft(left, this.#viewer.id)
  }

  /** @param isShown true if the batch takes the stage, unless another running one has it */
  #join(ids: readonly string[], prompt: string, isShown: boolean): void {
    const start = { key: ids.join(' '), prompt, size: null, isOwn: false }
    this.#begin(start, ids, null, isShown).watch()
  }

  #begin(
    start: Pick<Progress, 'key' | 'prompt' | 'size' | 'isOwn'>,
    ids: readonly (string | null)[],
    request: GenerateRequest | null,
    isShown = true,
  ): RunningBatch {
    const { i18n, api, announce, report } = this.#page
    const batch: RunningBatch = new RunningBatch(
      {
        i18n,
        images: api.client.images,
        announce,
        onChange: () => this.#update(),
        onImagesChange: () => this.#imagesChanged(),
        onCancelError: (error) =>
          this.fail(this.failureOf(error, msg`The image could not be canceled. Try again.`)),
        onEnd: (end) => void this.#end(batch, end, request),
      },
      start,
      ids,
    )
    const isFirst = this.#batches.length === 0
    this.#batches = [...this.#batches, batch]
    this.#set({
      failure: null,
      note: '',
      ...(isFirst && isShown && { shown: start.key, reusedIds: [] }),
    })
    this.#update()
    report('running')
    return batch
  }

  /** Copies the state of all running batches. */
  #update(): void {
    const running = this.#batches.map(({ progress }) => progress)
    const awaited = running.filter(isAccepted).map(({ images }) => images.flatMap(({ id }) => id ?? []))
    for (const id of awaited.flat()) this.#known.add(id)
    this.#set({ running })
    if (JSON.stringify(awaited) !== JSON.stringify(this.#state.draft.awaited)) this.change({ awaited })
  }

  /** @param request the one that the batch sent; null if it joined images that existed */
  async #end(batch: RunningBatch, end: BatchEnd, request: GenerateRequest | null): Promise<void> {
    const { key, prompt, chosen, reusedIds } = batch.progress
    const { draft, shown } = this.#state
    this.#batches = this.#batches.filter((other) => other !== batch)
    const results = 'results' in end ? end.results : []
    const chosenResult = results[chosen ?? -1]
    const image = chosenResult && isSucceeded(chosenResult) ? chosenResult : results.find(isSucceeded)
    if (shown === key) this.#set({ shown: (!image && this.#batches[0]?.progress.key) || null })
    if (image && (shown === key || (shown === null && !draft.image))) {
      this.change({
        image,
        batch: results.length > 1 ? results.filter(({ state }) => state !== 'canceled') : [],
        prompt: draft.prompt.trim() ? draft.prompt : image.prompt,
      })
      this.#set({ reusedIds })
    }
    // Without a session the generation continues, unwatched.
    if ('error' in end && reasonOf(end.error) === 'not_signed_in') {
      this.#set({ running: this.#batches.map(({ progress }) => progress) })
    } else this.#update()
    this.#page.report(this.#batches.length > 0 ? 'running' : image && !this.#hasForm ? 'ready' : 'none')
    this.#imagesChanged()
    if ('error' in end) return this.#showError(end, request)

    const hasFailed = results.some(({ state }) => state === 'failed')
    const message = describeEnd(results, reusedIds.length === results.length, this.#page.i18n)
    // Shown before an alert, which blocks the page.
    if (end.wasAwaited && (image || hasFailed)) await notifyWhenHidden(message, shorten(prompt))
    if (hasFailed) this.#showEnd({ message }, end.wasAwaited)
    else if (this.#hasForm) this.#page.announce(message)
    else this.#notify(message)
  }

  #showError(
    { error, isRequest, wasAwaited }: Extract<BatchEnd, { error: unknown }>,
    request: GenerateRequest | null,
  ): void {
    const reason = reasonOf(error)
    if (isRequest && reason === null) this.#unanswered = request
    const failure = this.failureOf(error, msg`Something went wrong!`)
    if (reason !== 'not_found') return this.#showEnd(failure, wasAwaited)
    // Images that are watched were deleted in another tab. Of a request, what it names is missing.
    const missing = this.#state.draft.options.remix
      ? msg`The post that you remix, or a reference image, was deleted. Remove it and try again.`
      : msg`A reference image was deleted. Remove it from the options and try again.`
    if (isRequest) this.#showEnd({ ...failure, message: this.#text(missing) }, true)
  }

  /** Shows a message on a page without the form, with a link to it. */
  #notify(message: string): void {
    const label = this.#text(msg({ message: 'Open', comment: 'Button that opens the form' }))
    this.#page.toast(message, { label, href: pagePaths.create })
  }

  /** @param wasAwaited false if the generation had ended before this page joined it: then there is no alert */
  #showEnd(failure: CallFailure, wasAwaited: boolean): void {
    if (wasAwaited && this.#hasForm) return this.alert(failure)
    this.fail(failure)
    if (wasAwaited) this.#notify(failure.message)
  }

  #text(message: MessageDescriptor): string {
    return this.#page.i18n._(message)
  }

  /** Reloads the server's list of images and its quota. */
  #imagesChanged(): void {
    const { images } = this.#page.api
    void images.list.invalidate()
    void images.quota.invalidate()
  }

  #batchOf(key: string | null): RunningBatch | undefined {
    return this.#batches.find(({ progress }) => progress.key === key)
  }

  #set(patch: Partial<CreationState>): void {
    this.#state = { ...this.#state, ...patch }
    for (const listener of this.#listeners) listener()
  }
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

function isSameRequest(former: GenerateRequest, request: Omit<GenerateRequest, 'requestKey'>): boolean {
  return JSON.stringify({ ...request, requestKey: former.requestKey }) === JSON.stringify(former)
}
