import type { Image, ReadyImage } from '../../../shared/images.ts'
import { thumbnailUrl } from '../../../shared/image-files.ts'
import { describeFailure } from '../../api/failure.ts'
import { preload } from '../../images/load-image.ts'
import { subscribeToGeneration } from './follow-generation.ts'
import type { Followed, GenerationCalls } from './follow-generation.ts'
import { advance, startProgress, turnSentence } from './progress.ts'
import type { Progress, ProgressNews } from './progress.ts'

/** What a generation needs of the page around it. */
export interface GenerationServices extends GenerationCalls {
  cancel(imageId: string): Promise<Image>
  announce(sentence: string): void
  now(): number
}

/** How following a generation ended; `stopped`: this page looks no longer, and knows nothing of its end. */
export type GenerationEnd =
  | { readonly type: 'ready'; readonly image: ReadyImage }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'cancelled' | 'stopped' }

/** An image in the making, as this page follows it. The job itself is the server's. */
export class Generation {
  readonly #services: GenerationServices
  readonly #changed: (progress: Progress) => void
  readonly #following = new AbortController()
  #progress: Progress

  /**
   * @param followed what is followed; its prompt, where that is known
   * @param changed told of each step
   */
  constructor(
    services: GenerationServices,
    followed: Followed & { readonly prompt: string },
    changed: (progress: Progress) => void,
  ) {
    this.#services = services
    this.#changed = changed
    const imageId = 'imageId' in followed ? followed.imageId : null
    this.#progress = startProgress(followed.prompt, imageId, services.now())
  }

  get progress(): Progress {
    return this.#progress
  }

  /** Follows it to its end. */
  async follow(followed: Followed): Promise<GenerationEnd> {
    try {
      const image = await subscribeToGeneration(this.#services, followed, this.#tell, this.#following.signal)
      // The last image in between stays until the one that takes its place can be shown.
      if (this.#progress.partial) await preload(thumbnailUrl(image.photo, 640))
      return { type: 'ready', image }
    } catch (error) {
      if (this.#following.signal.aborted) return this.#following.signal.reason as GenerationEnd
      const isCancelled = this.#progress.isCancelling || describeFailure(error).reason === 'cancelled'
      return isCancelled ? { type: 'cancelled' } : { type: 'failed', error }
    }
  }

  /** Gives it up. Throws where the server could not be told; one that was faster ends as `ready`. */
  async cancel(): Promise<void> {
    if (this.#progress.isCancelling) return
    this.#tell({ type: 'cancelling', isCancelling: true })
    const { imageId } = this.#progress
    // One that is not accepted yet is cancelled as soon as it is.
    if (imageId !== null) await this.#cancelAccepted(imageId)
  }

  /** Looks no longer. */
  stop(): void {
    this.#endAs({ type: 'stopped' })
  }

  readonly #tell = (news: ProgressNews): void => {
    const before = this.#progress
    const after = advance(before, news, this.#services.now())
    this.#progress = after
    this.#changed(after)
    const sentence = turnSentence(before, after)
    if (sentence) this.#services.announce(sentence)
    if (before.imageId === null && after.imageId !== null && after.isCancelling) {
      // Where this fails the image is made; nothing is lost but the wish.
      this.#cancelAccepted(after.imageId).catch(() => {})
    }
  }

  async #cancelAccepted(imageId: string): Promise<void> {
    try {
      const { state } = await this.#services.cancel(imageId)
      // The stream says the same, but may be broken just now.
      if (state === 'cancelled') this.#endAs({ type: 'cancelled' })
    } catch (error) {
      this.#tell({ type: 'cancelling', isCancelling: false })
      throw error
    }
  }

  #endAs(end: GenerationEnd): void {
    this.#following.abort(end)
  }
}
