import { messages } from '../../../shared/errors.ts'
import type { Image } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { describeFailure } from '../../api/failure.ts'
import { forgetDraft, freshDraft, keepDraft, readDraft } from './draft.ts'
import type { Draft } from './draft.ts'
import { isResponse } from './follow-generation.ts'
import type { Followed } from './follow-generation.ts'
import type { FormFailure } from './form-failure.ts'
import { formFailure } from './form-failure.ts'
import { Generation } from './generation.ts'
import type { GenerationServices } from './generation.ts'
import type { Progress } from './progress.ts'
import { newRequestKey } from './request-key.ts'

/** What a user is making and how far it is. */
export interface CreationState {
  readonly draft: Draft
  /** The image in the making; null while there is none. */
  readonly progress: Progress | null
  readonly failure: FormFailure | null
}

/** The parts of a draft as they were sent to be shared. */
export interface SharedDraft {
  readonly name: string
  readonly prompt: string
  readonly imageId: string
}

/** What the store needs of the page around it. */
export interface CreationServices extends GenerationServices {
  alert(sentence: string): void
  /** Called when the server's list of images and its count of the day have changed. */
  imagesChanged(): void
}

/**
 * The one place that knows of a user's draft and of the image in the making. It stands above the pages:
 * the form that shows it may come and go.
 */
export class CreationStore {
  #viewer: Viewer
  readonly #services: CreationServices
  readonly #listeners = new Set<() => void>()
  readonly #ended = new Set<string>()
  #state: CreationState
  #generation: Generation | null = null
  /** The last press that got no answer: sent again under its own key, it can't be charged twice. */
  #unanswered: { readonly prompt: string; readonly requestKey: string } | null = null
  #forms = 0

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

  /** A form shows the draft from now on; returns how to say that it is gone. */
  readonly show = (): (() => void) => {
    this.#forms += 1
    const { awaited } = this.#state.draft
    if (awaited !== null) void this.#follow({ imageId: awaited, prompt: '' })
    return () => {
      this.#forms -= 1
      // Seen and left behind; what fails from now on is kept until somebody comes to see it.
      this.fail(null)
    }
  }

  readonly change = (patch: Partial<Draft>): void => {
    const draft = { ...this.#state.draft, ...patch }
    keepDraft(draft, this.#viewer.id)
    this.#set({ draft })
  }

  /** The user may be called something else by now: a name that they left as it was changes with theirs. */
  readonly rename = (viewer: Viewer): void => {
    const former = this.#viewer.firstName
    this.#viewer = viewer
    const isTheirs = this.#state.draft.name === former
    if (isTheirs && viewer.firstName !== former) this.change({ name: viewer.firstName })
  }

  /** Clears what was shared from the draft. What was typed or generated while it was being shared stays. */
  readonly clearShared = (shared: SharedDraft): void => {
    const { draft } = this.#state
    const fresh = freshDraft(this.#viewer)
    const left: Draft = {
      name: draft.name === shared.name ? fresh.name : draft.name,
      prompt: draft.prompt === shared.prompt ? '' : draft.prompt,
      image: draft.image?.id === shared.imageId ? null : draft.image,
      awaited: draft.awaited,
    }
    this.#set({ draft: left, failure: null })
    if (isEqual(left, fresh)) forgetDraft()
    else keepDraft(left, this.#viewer.id)
  }

  /** Says, without an alert, what went wrong, or that nothing is wrong any more. */
  readonly fail = (failure: FormFailure | null): void => this.#set({ failure })

  /** Has an image of the draft's prompt made. A second call meanwhile does nothing. */
  readonly generate = async (): Promise<void> => {
    const { prompt } = this.#state.draft
    const { requestKey } =
      this.#unanswered?.prompt === prompt ? this.#unanswered : { requestKey: newRequestKey() }
    await this.#follow({ prompt, requestKey })
  }

  /** Joins an image in the making that was started elsewhere, unless this page knows of it already. */
  readonly pickUp = (image: Image): void => {
    if (this.#generation || this.#ended.has(image.id)) return
    if (!this.#state.draft.prompt.trim()) this.change({ prompt: image.prompt })
    void this.#follow({ imageId: image.id, prompt: image.prompt })
  }

  /** Gives up the image in the making. */
  readonly cancel = async (): Promise<void> => {
    const generation = this.#generation
    try {
      await generation?.cancel()
    } catch (error) {
      if (this.#generation === generation) {
        this.fail(formFailure(error, 'The image could not be cancelled. Try again.'))
      }
    }
  }

  /** Follows nothing any more; the server's jobs go on. */
  dispose(): void {
    this.#generation?.stop()
    this.#listeners.clear()
  }

  async #follow(followed: Followed & { readonly prompt: string }): Promise<void> {
    // The state is for the screen; two clicks can come before it has changed.
    if (this.#generation) return
    const generation = new Generation(this.#services, followed, (progress) => this.#advance(progress))
    this.#generation = generation
    this.#set({ progress: generation.progress, failure: null })
    const end = await generation.follow(followed)
    if (end.type === 'stopped') return
    const { imageId, phase } = generation.progress
    this.#generation = null
    this.#unanswered =
      end.type === 'failed' && 'requestKey' in followed && imageId === null && !isResponse(end.error)
        ? followed
        : null
    if (imageId !== null) this.#ended.add(imageId)
    this.#set({ progress: null })
    this.#services.imagesChanged()
    switch (end.type) {
      case 'ready': {
        const { prompt } = this.#state.draft
        this.change({ image: end.image, awaited: null, prompt: prompt.trim() ? prompt : end.image.prompt })
        return this.#services.announce('Your image is ready.')
      }
      case 'cancelled':
        this.change({ awaited: null })
        return this.#services.announce('The image is cancelled.')
      case 'failed':
        // What had ended before this page joined it surprises nobody with an alert.
        return this.#explain(end.error, 'requestKey' in followed || phase !== 'sending')
    }
  }

  #advance(progress: Progress): void {
    const isAccepted = progress.imageId !== null && progress.imageId !== this.#state.draft.awaited
    this.#set({ progress })
    if (!isAccepted) return
    this.change({ awaited: progress.imageId })
    this.#services.imagesChanged()
  }

  #explain(error: unknown, wasAwaited: boolean): void {
    const { reason } = describeFailure(error)
    // Without a session nobody can look, but the job goes on.
    if (reason !== 'not_signed_in') this.change({ awaited: null })
    // It was deleted meanwhile, in another tab.
    if (reason === 'not_found') return
    const failure = formFailure(error, messages.generateFailed)
    this.fail(failure)
    if (this.#forms > 0 && wasAwaited) this.#services.alert(failure.message)
  }

  #set(patch: Partial<CreationState>): void {
    this.#state = { ...this.#state, ...patch }
    for (const listener of this.#listeners) listener()
  }
}

function isEqual(one: Draft, other: Draft): boolean {
  return (
    one.name === other.name &&
    one.prompt === other.prompt &&
    one.image === other.image &&
    one.awaited === other.awaited
  )
}
