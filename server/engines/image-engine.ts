/** Event of a generation. A successful one ends with `complete`. */
export type EngineEvent =
  | {
      /** Preview of the image, as JPEG, PNG or WebP; not stored. */
      readonly type: 'partial'
      readonly bytes: Uint8Array
    }
  | {
      /** Finished image, as JPEG, PNG or WebP. */
      readonly type: 'complete'
      readonly bytes: Uint8Array
    }

/** Adapter of an image provider, or the embedded pattern generator. */
export interface ImageEngine {
  /** Kind of engine, a value of IMAGE_ENGINE. */
  readonly name: 'rangoli' | 'openai'
  /** Model, or version of the algorithm; stored with each image. */
  readonly model: string
  /**
   * Generates one image: any number of previews, then the finished image. May be called concurrently. Ending the iteration
   * early cancels the generation.
   *
   * @param prompt text of any length and script
   * @param signal cancels the generation
   * @throws AppError `prompt_blocked` or one of the `engine_…` codes, never an SDK's error
   * @throws the reason of `signal` after it is aborted
   */
  generate(prompt: string, signal: AbortSignal): AsyncIterable<EngineEvent>
}
