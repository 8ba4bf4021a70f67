/** The progress of a generation; `complete` is the last event of one that succeeded. */
export type EngineEvent =
  | {
      /** A preview to show until the image is finished; not stored. */
      readonly type: 'partial'
      readonly bytes: Uint8Array
    }
  | {
      /** The finished image as JPEG, PNG or WebP. */
      readonly type: 'complete'
      readonly bytes: Uint8Array
    }

/** Generates images: the embedded pattern generator, or a model behind an API. */
export interface ImageEngine {
  /** The kind of engine, as in IMAGE_ENGINE. */
  readonly name: 'rangoli' | 'openai'
  /** The model, or the version of the algorithm; stored with each image. */
  readonly model: string
  /**
   * Generates one image. Stops when `signal` is aborted.
   *
   * @throws AppError `prompt_blocked` or one of the `engine_…` codes, never an SDK's error; the reason of `signal` once
   *   it is aborted
   */
  generate(prompt: string, signal: AbortSignal): AsyncIterable<EngineEvent>
}
