/** What an engine reports while it works; `complete` is the last event of a generation that succeeded. */
export type EngineEvent =
  | {
      /** A preview of the picture in the making, to be shown and thrown away. */
      readonly type: 'partial'
      readonly bytes: Uint8Array
    }
  | {
      /** The finished picture, in whatever format the engine made it. */
      readonly type: 'complete'
      readonly bytes: Uint8Array
    }

/** Who makes the pictures: the embedded pattern drawer or a model behind an API. */
export interface ImageEngine {
  /** Which kind of engine it is, as IMAGE_ENGINE names it. */
  readonly name: 'rangoli' | 'openai'
  /** The model or the version of the algorithm; stored with each image. */
  readonly model: string
  /**
   * Makes one picture. Stops when `signal` is aborted.
   *
   * @throws AppError `prompt_blocked` or one of the `engine_…` codes; SDK errors never pass this seam. The signal's
   *   reason once it is aborted.
   */
  generate(prompt: string, signal: AbortSignal): AsyncIterable<EngineEvent>
}
