/**
 * Message to the other processes of the site. Messages are hints that save time: every process also reads the rows at
 * intervals, so that a lost one delays something, and nothing more.
 */
export type Hint =
  /** Generations were queued, claimed or canceled. */
  | { readonly type: 'queue' }
  /** The state of an image changed. */
  | {
      readonly type: 'changed'
      readonly id: string
      readonly isFinished: boolean
      readonly retryAfter?: number | undefined
    }
  /** The cancellation of a running generation was requested. */
  | { readonly type: 'cancel'; readonly id: string }
  | { readonly type: 'progress'; readonly id: string; readonly progress: number }
  | { readonly type: 'preview'; readonly id: string; readonly dataUrl: string }

/** Receives the messages of other processes, and `resync` whenever some may have been missed. */
export type HintListener = (hint: Hint | { readonly type: 'resync' }) => void

/** Messages between the processes of a site. */
export interface Notifications {
  /** Sends a message to the other processes. Never throws: a message that can't be sent is dropped. */
  publish(hint: Hint): void
  /**
   * Receives messages from now on. To be called once.
   *
   * @param isWatched checks whether previews of an image are needed
   */
  subscribe(listener: HintListener, isWatched: (imageId: string) => boolean): void
  /** Reads the latest preview of an image that another process generates, as a data URL. */
  findPreview(imageId: string): Promise<string | null>
}
