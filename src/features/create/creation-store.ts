import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { escapeChoices, withoutEscapes } from '../../../shared/expand-prompt.ts'
import { fitUrl } from '../../../shared/image-files.ts'
import { isFinished, isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import type { Post } from '../../../shared/posts.ts'
import { watchedImagesMax } from '../../../shared/limits.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { nullIfMissing } from '../../api/missing.ts'
import { showSharedPost } from '../../api/post-changes.ts'
import type { Api, RouterInputs } from '../../api/trpc.ts'
import type { CreationActivity } from '../../browser/creation-activity.ts'
import { notifyWhenHidden } from '../../browser/device-notifications.ts'
import type { ToastAction } from '../../ui/announcer.tsx'
import { shorten } from '../../ui/text.tsx'
import type { CallFailure } from '../auth/call-failure.tsx'
import { isSamePrompt, promptToShare, readDraft, saveDraft, type Draft } from './draft.ts'
import { toReference, type OptionInputs, type OptionsPatch, type ReferenceImage } from './form-options.ts'
import {
  applyEvent,
  describeChange,
  describeEnd,
  isAccepted,
  isAwaited,
  isWaiting,
  newImage,
  resultOf,
  withImage,
  withRow,
  type ImageProgress,
  type Progress,
} from './progress.ts'

/** A user's draft and the state of its generations. */
export interface CreationState {
  readonly draft: Draft
  /** Requests whose images are being generated, oldest first. */
  readonly running: readonly Progress[]
  /** Key of the running request that is on the stage; null if the image of the draft is. */
  readonly shown: string | null
  /** An error that is alerted and stays visible in the form. */
  readonly failure: CallFailure | null
  /** Outcome of an import of settings, shown until the next generation; '' if there is none. */
  readonly note: string
  /** Ids of images of the latest request that existed before, and were not counted again. */
  readonly reusedIds: readonly string[]
  readonly isSharing: boolean
}

/** Choices for a post. Without one, a post that exists stays as it is; a new one has the visibility of the account. */
export type SharingOptions = Pick<
  RouterInputs['posts']['create'],
  'visibility' | 'hidePrompt' | 'isSensitive'
>

/** What the store needs of the page, which stays the same while the user is signed in. */
export interface CreationPage {
  readonly i18n: I18n
  readonly api: Api
  readonly queryClient: QueryClient
  announce(message: string): void
  toast(message: string, action?: ToastAction): void
  /** Called when a request starts or ends, and when the user looks at its images. */
  report(activity: CreationActivity): void
}

/** Delays before retries of `images.generate` that got no response. */
const sendDelaysMs = [400, 1_200, 2_400]

/**
 * Delays before a subscription is reopened that a proxy has ended, and the last one from then on. Lost connections are restored by
 * `EventSource`.
 */
const watchDelaysMs = [3_000, 6_000, 15_000]

const preloadTimeoutMs = 3_000

/**
 * A user's draft, and the requests whose images this page follows. It outlives the form that shows it. Rows of the server are the
 * truth about images: each response and event only puts one into its request, which ends once all of its images have.
 */
export class CreationStore {
  readonly #viewerId: string
  readonly #page: CreationPage
  readonly #listeners = new Set<() => void>()
  #state: CreationState
  /** Ids of images that this page follows, or has followed to their end. */
  readonly #known = new Set<string>()
  /** Key of the last request if it had no response. A retry with it consumes no second quota. */
  readonly #unanswered = new Map<string, string>()
  #hasForm = false
  /** Ends the subscription, or the wait for it, once another one takes its place. */
  #watching = new AbortController()

  constructor(viewerId: string, page: CreationPage) {
    this.#viewerId = viewerId
    this.#page = page
    this.#state = {
      draft: readDraft(viewerId),
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
    if (this.#state.running.length === 0) {
      this.#page.report('none')
      for (const ids of this.#state.draft.awaited) this.#join(ids, '', true)
      this.#watch()
    }
    return () => {
      this.#hasForm = false
      // The user has seen the error. Later errors are kept until a form shows them.
      this.#set({ failure: null, note: '' })
    }
  }

  readonly change = (patch: Partial<Draft>): void => {
    this.#set({ draft: { ...this.#state.draft, ...patch } })
  }

  /** Changes options of the draft. A function gets the current ones, for callers that waited meanwhile. */
  readonly changeOptions = (patch: OptionsPatch): void => {
    const { options } = this.#state.draft
    this.change({ options: { ...options, ...(typeof patch === 'function' ? patch(options) : patch) } })
  }

  readonly addReference = (image: ReferenceImage): void =>
    this.changeOptions(({ references }) => ({
      references: [...references.filter(({ id }) => id !== image.id), toReference(image)],
    }))

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
    needsSignIn: describeFailure(error).reason === 'not_signed_in',
  })

  /** Asks for images of a prompt, by default the draft's, or for an enlarged one, after those that are being generated. */
  readonly queue = async (
    options: OptionInputs = {},
    prompt = this.#state.draft.prompt,
    upscale: RouterInputs['images']['upscale'] | null = null,
  ): Promise<void> => {
    const request = JSON.stringify({ ...options, prompt, upscale })
    const repeatedKey = this.#unanswered.get(request)
    this.#unanswered.clear()
    const key = repeatedKey ?? newRequestKey()
    const images = Array.from({ length: options.count ?? 1 }, () => newImage(null))
    this.#begin({ key, prompt, size: options.size ?? null, images, isOwn: true })
    // Until the user signs out.
    for (let failures = 0; this.#find(key); failures += 1) {
      try {
        const procedures = this.#page.api.client.images
        const response = upscale
          ? await procedures.upscale.mutate({ ...upscale, requestKey: key })
          : await procedures.generate.mutate({ ...options, prompt, requestKey: key })
        return this.#accept(key, response.images, failures === 0 && repeatedKey === undefined)
      } catch (error) {
        const { reason, message: answer } = describeFailure(error)
        const isAnswered = reason !== null || answer !== null
        const delayMs = sendDelaysMs[failures]
        if (!isAnswered && delayMs !== undefined) {
          this.#update(key, { isDisconnected: true })
          await untilOnline(delayMs)
          continue
        }
        // A gateway may have answered in place of the server.
        if (reason === null) this.#unanswered.set(request, key)
        // What the request names is missing.
        if (reason === 'not_found') void this.#page.api.styles.list.invalidate()
        const missing = options.remixOf
          ? msg`The post that you remix, or a reference image, was deleted. Remove it and try again.`
          : options.styleId && !options.referenceImageIds?.length
            ? msg`This style was deleted. Choose another one.`
            : msg`A reference image was deleted. Remove it from the options and try again.`
        const message = reason === 'not_found' && !upscale ? this.#text(missing) : undefined
        return this.#abandon([key], error, message)
      }
    }
  }

  /** Follows requests that were started elsewhere, oldest first, unless this page has followed them already. */
  readonly pickUp = (batches: readonly (readonly Image[])[]): void => {
    // The server may have accepted a request whose response is on its way.
    if (!this.#state.running.every(isAccepted)) return
    const before = this.#state.running.length
    for (const images of batches) {
      const [first] = images
      if (!first || images.every(({ id }) => this.#known.has(id))) continue
      const { draft } = this.#state
      if (!draft.prompt.trim()) this.change({ prompt: escapeChoices(first.prompt) })
      // It may be the request that had no response: the next one is another.
      this.#unanswered.clear()
      this.#join(
        images.map(({ id }) => id),
        first.prompt,
        draft.image === null,
      )
    }
    if (this.#state.running.length > before) this.#watch()
  }

  /** Chooses an image of those on the stage. */
  readonly choose = (imageId: string): void => {
    const { draft, shown } = this.#state
    if (shown !== null) return this.#update(shown, { chosenId: imageId })
    const image = draft.batch.find(({ id }) => id === imageId)
    if (image && isSucceeded(image)) this.change({ image })
  }

  /** Shows a running request on the stage. */
  readonly follow = (key: string): void => this.#set({ shown: key })

  /** Shows an image on the stage, to be shared, with the batch that it belongs to. */
  readonly select = (image: SucceededImage, batch: readonly Image[] = []): void => {
    this.#set({ shown: null, reusedIds: [] })
    this.change({ image, batch })
  }

  /** Removes a deleted image from the draft and from its request. The next one of its batch takes its place. */
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
    this.#drop(new Set([imageId]))
  }

  /** Cancels what is unfinished of a running request, once the server has accepted it. An image still succeeds if it finishes first. */
  readonly cancel = async (key: string): Promise<void> => {
    this.#update(key, { isCanceling: true })
    const cancelImage = async ({ id }: ImageProgress & { readonly id: string }) => {
      const row = await nullIfMissing(this.#page.api.client.images.cancel.mutate({ id }))
      // The subscription reports the same, but may be broken.
      if (row) this.#update(key, (known) => withRow(known, row))
    }
    const images = this.#unfinished(key)
    try {
      // Queued images first: they would start, and then count, when a running one ends.
      await Promise.all(images.filter(isWaiting).map(cancelImage))
      await Promise.all(images.filter((image) => !isWaiting(image)).map(cancelImage))
    } catch (error) {
      if (!this.#find(key)) return
      this.#update(key, { isCanceling: false })
      this.fail(this.failureOf(error, msg`The image could not be canceled. Try again.`))
    }
  }

  /**
   * Shares the image of the draft, and clears what was shared. Does nothing while another call runs. A retry after a lost
   * response returns the existing post.
   *
   * @returns null if it failed, which is alerted
   */
  readonly share = async (options: SharingOptions & { readonly name: string }): Promise<Post | null> => {
    const { draft, isSharing } = this.#state
    const { prompt, image } = draft
    if (isSharing) return null
    if (!prompt.trim() || !image) {
      this.alert(this.#text(msg`Please enter a prompt and generate an image`))
      return null
    }
    this.#set({ isSharing: true, failure: null })
    try {
      const { api, queryClient } = this.#page
      const call = { prompt: promptToShare(draft), imageId: image.id, ...options }
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
    this.#watching.abort()
    this.#listeners.clear()
    this.#set({ running: [] })
  }

  /** Keeps changes that were made while the draft was being shared. */
  #clearShared(shared: Draft): void {
    const { draft } = this.#state
    const left: Draft = {
      ...draft,
      ...(draft.name === shared.name && { name: null }),
      // Words that did not make the image are for the next one.
      ...(draft.prompt === shared.prompt &&
        isSamePrompt(withoutEscapes(shared.prompt), promptToShare(shared)) && { prompt: '' }),
      ...(draft.image?.id === shared.image?.id && { image: null, batch: [] }),
      options: { ...draft.options, remix: null },
    }
    this.#set({ draft: left, failure: null, reusedIds: [] })
  }

  /** @param isShown true if the request takes the stage, unless another running one has it */
  #join(ids: readonly string[], prompt: string, isShown: boolean): void {
    const key = ids.join(' ')
    this.#begin({ key, prompt, size: null, images: ids.map((id) => newImage(id)), isOwn: false }, isShown)
  }

  #begin(start: Pick<Progress, 'key' | 'prompt' | 'size' | 'images' | 'isOwn'>, isShown = true): void {
    const { running } = this.#state
    const state = { chosenId: null, isDisconnected: false, isCanceling: false }
    const isFirst = running.length === 0
    this.#set({
      failure: null,
      note: '',
      ...(isFirst && isShown && { shown: start.key, reusedIds: [] }),
    })
    this.#setRunning([...running, { ...start, ...state, since: Date.now(), clockLead: 0 }])
    this.#page.report('running')
  }

  /** @param isNew false if an earlier attempt may have started the images */
  #accept(key: string, rows: readonly Image[], isNew: boolean): void {
    const started = rows.find(({ state }) => !isFinished(state))
    this.#set({ reusedIds: isNew ? rows.filter(isSucceeded).map(({ id }) => id) : [] })
    this.#update(key, {
      images: rows.map((row) => newImage(row.id, row)),
      ...(started && { clockLead: Date.now() - Date.parse(started.createdAt) }),
      isDisconnected: false,
    })
    this.#imagesChanged()
    this.#watch()
    if (this.#find(key)?.isCanceling) void this.cancel(key)
  }

  /**
   * Watches the unfinished images of all requests to their end, by one subscription: browsers open six connections to a site, for all
   * of its pages.
   *
   * @param failures number of subscriptions that failed since the last connection
   */
  #watch(failures = 0): void {
    this.#watching.abort()
    const { signal } = (this.#watching = new AbortController())
    const keys = this.#state.running.filter(isAccepted).map(({ key }) => key)
    const ids = keys.flatMap((key) => this.#unfinished(key).map(({ id }) => id)).slice(0, watchedImagesMax)
    if (ids.length === 0) return
    let failed = failures
    const setDisconnected = (isDisconnected: boolean) => {
      for (const key of keys) this.#update(key, { isDisconnected })
    }
    const reopen = () => {
      setDisconnected(true)
      const delayMs = watchDelaysMs[failed] ?? watchDelaysMs.at(-1)
      setTimeout(() => signal.aborted || this.#watch(failed + 1), delayMs)
    }
    this.#page.api.client.images.watch.subscribe(
      { ids },
      {
        signal,
        onData: ({ data: event }) => {
          const id = event.type === 'state' ? event.image.id : event.id
          const key = this.#state.running.find(({ images }) => images.some((image) => image.id === id))?.key
          if (key !== undefined) this.#update(key, (known) => applyEvent(known, event))
        },
        // It is `connecting` without an error from the start, also when it is reopened.
        onConnectionStateChange: ({ state, error }) => {
          if (state === 'pending') failed = 0
          if (!signal.aborted && (state === 'pending' || error)) setDisconnected(state !== 'pending')
        },
        onError: (error) => {
          const { reason } = describeFailure(error)
          if (signal.aborted) return
          if (reason === null) reopen()
          // One was deleted in another tab: the server watches all or none.
          else if (reason === 'not_found') void this.#dropMissing(ids, reopen)
          else this.#abandon(keys, error)
        },
        onComplete: () => signal.aborted || this.#watch(),
      },
    )
  }

  /** Takes images that the server does not have any more out of their requests, and watches the others. */
  async #dropMissing(ids: readonly string[], onError: () => void): Promise<void> {
    const { get } = this.#page.api.client.images
    try {
      const rows = await Promise.all(ids.map((id) => nullIfMissing(get.query({ id }))))
      const missing = new Set<string | null>(ids.filter((_, index) => !rows[index]))
      if (missing.size === 0) return onError()
      this.#drop(missing)
      this.#watch()
    } catch {
      onError()
    }
  }

  /** Takes images out of the running requests. */
  #drop(ids: ReadonlySet<string | null>): void {
    for (const { key } of this.#state.running)
      this.#update(key, ({ images }) => ({ images: images.filter(({ id }) => !ids.has(id)) }))
  }

  /** Returns the accepted images of a request whose final state is unknown. */
  #unfinished(key: string) {
    return (this.#find(key)?.images ?? []).filter(
      (image): image is ImageProgress & { readonly id: string } =>
        image.id !== null && !(image.row && isFinished(image.row.state)),
    )
  }

  #find(key: string): Progress | undefined {
    return this.#state.running.find((progress) => progress.key === key)
  }

  /** Changes a running request, announces what is new, and ends it once all of its images have ended. */
  #update(key: string, change: Partial<Progress> | ((known: Progress) => Partial<Progress>)): void {
    const before = this.#find(key)
    if (!before) return
    const after = { ...before, ...(typeof change === 'function' ? change(before) : change) }
    this.#setRunning(this.#state.running.map((progress) => (progress === before ? after : progress)))
    for (const image of after.images) {
      const { id, row, preview } = image
      if (id === null || preview === null || !row || !isSucceeded(row) || before.images.includes(image))
        continue
      const show = () => this.#update(key, (known) => withImage(known, id, { preview: null }))
      void preload(fitUrl(row.photo, 1280)).then(show)
    }
    const ended = after.images.filter(resultOf).length
    if (ended === after.images.length) return void this.#end(after, isAwaited(before))
    if (ended > before.images.filter(resultOf).length) this.#imagesChanged()
    const message = describeChange(before, after, this.#page.i18n)
    if (message !== null) this.#page.announce(message)
  }

  #setRunning(running: readonly Progress[]): void {
    this.#set({ running })
    const awaited = running.filter(isAccepted).map(({ images }) => images.flatMap(({ id }) => id ?? []))
    for (const id of awaited.flat()) this.#known.add(id)
    if (JSON.stringify(awaited) !== JSON.stringify(this.#state.draft.awaited)) this.change({ awaited })
  }

  /** Takes a request off the list. @param isReady true if it leaves an image, which may take its place on the stage */
  #remove(key: string, isReady: boolean): void {
    this.#setRunning(this.#state.running.filter((progress) => progress.key !== key))
    const { running, shown } = this.#state
    if (shown === key) this.#set({ shown: (!isReady && running[0]?.key) || null })
    this.#page.report(running.length > 0 ? 'running' : isReady && !this.#hasForm ? 'ready' : 'none')
    this.#imagesChanged()
  }

  /** Ends a request whose images have ended. @param wasAwaited false if they had before this page joined it */
  async #end({ key, prompt, images, chosenId }: Progress, wasAwaited: boolean): Promise<void> {
    const { draft, shown, reusedIds } = this.#state
    const results = images.flatMap((image) => resultOf(image) ?? [])
    const ready = results.filter(isSucceeded)
    const image = ready.find(({ id }) => id === chosenId) ?? ready[0]
    if (image && (shown === key || (shown === null && !draft.image))) {
      const batch = results.length > 1 ? results.filter(({ state }) => state !== 'canceled') : []
      this.change({ image, batch, prompt: draft.prompt.trim() ? draft.prompt : escapeChoices(image.prompt) })
    }
    this.#remove(key, image !== undefined)
    // All were deleted in another tab.
    if (results.length === 0) return
    const hasFailed = results.some(({ state }) => state === 'failed')
    const message = describeEnd(
      results,
      results.every(({ id }) => reusedIds.includes(id)),
      this.#page.i18n,
    )
    // Shown before an alert, which blocks the page.
    if (wasAwaited && (image || hasFailed)) await notifyWhenHidden(message, shorten(prompt))
    if (hasFailed) this.#showEnd({ message }, wasAwaited)
    else if (this.#hasForm) this.#page.announce(message)
    else this.#notify(message)
  }

  /** Ends requests that were rejected, or that cannot be watched. */
  #abandon(keys: readonly string[], error: unknown, message?: string): void {
    const failure = this.failureOf(error, msg`Something went wrong!`)
    const abandoned = keys.flatMap((key) => this.#find(key) ?? [])
    if (abandoned.length === 0) return
    const { awaited } = this.#state.draft
    for (const { key } of abandoned) this.#remove(key, false)
    // Without a session the generations continue, unwatched, for a later page to follow.
    if (failure.needsSignIn) this.change({ awaited })
    this.#showEnd({ ...failure, message: message ?? failure.message }, abandoned.some(isAwaited))
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

  /** Reloads the server's lists of images, their numbers and the quota. */
  #imagesChanged(): void {
    const { images } = this.#page.api
    void images.list.invalidate()
    void images.months.invalidate()
    void images.quota.invalidate()
  }

  #set(patch: Partial<CreationState>): void {
    this.#state = { ...this.#state, ...patch }
    if (patch.draft) saveDraft(patch.draft, this.#viewerId)
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

/** Waits until the delay has passed or the browser is online again. */
async function untilOnline(delayMs: number): Promise<void> {
  await new Promise((resolve) => {
    addEventListener('online', resolve, { once: true })
    setTimeout(resolve, delayMs)
  })
}

/** Loads and decodes an image, so that it replaces another one without a gap. Gives up after a timeout; never rejects. */
async function preload(url: string): Promise<void> {
  const image = new Image()
  image.src = url
  const timeout = new Promise((resolve) => setTimeout(resolve, preloadTimeoutMs))
  await Promise.race([image.decode(), timeout]).catch(() => {})
}
