import type {
  EngineCapabilities,
  EngineKind,
  ImageSize,
  Lora,
  ModelDetails,
  ParameterValues,
} from '../../shared/engines.ts'
import { countMax } from '../../shared/limits.ts'
import { AppError } from '../errors/app-error.ts'

/** Size of an image in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** One image to generate. Engines ignore what their capabilities exclude; callers reject it before. */
export interface EngineRequest {
  /** Id of the image, a lowercase UUID: the same in every attempt to generate it. */
  readonly imageId: string
  /** Text of any length and script. */
  readonly prompt: string
  /** Empty for none. */
  readonly negativePrompt: string
  /** Null: the default of the engine. */
  readonly model: string | null
  /** Null: the default of the engine. */
  readonly size: Size | null
  /** Integer from 0 to 4,294,967,295; null: the engine chooses. */
  readonly seed: number | null
  /** JPEG files. */
  readonly references: readonly Uint8Array[]
  /** JPEG or PNG file whose white areas are redrawn; null: the whole reference image. */
  readonly mask: Uint8Array | null
  /** Allowed difference from the first reference image, 0 to 1; null: the default of the engine. */
  readonly strength: number | null
  readonly parameters: ParameterValues
  /** JPEG files of those parameters that are images, by name. */
  readonly parameterImages: Readonly<Record<string, Uint8Array>>
  readonly loras: readonly Lora[]
  /** Factor by which the reference image is to be enlarged, instead of an image of the prompt; null for such an image. */
  readonly upscale: number | null
  /** True if a process that has ended may have sent the request; only for engines with `canResume`. */
  readonly isResumed: boolean
  /** Id of the job that it has sent, see `EngineEvent`; null if it reported none. */
  readonly jobId: string | null
}

export function defaultRequest(imageId: string, prompt: string): EngineRequest {
  return {
    imageId,
    prompt,
    negativePrompt: '',
    model: null,
    size: null,
    seed: null,
    references: [],
    mask: null,
    strength: null,
    parameters: {},
    parameterImages: {},
    loras: [],
    upscale: null,
    isResumed: false,
    jobId: null,
  }
}

/** Capabilities of an engine that takes a prompt only. Each engine adds its own. */
export const promptOnly: EngineCapabilities = {
  sizes: [],
  customSizes: null,
  seed: false,
  negativePrompt: false,
  count: countMax,
  referenceImages: 0,
  strength: false,
  mask: false,
  loras: [],
  upscale: [],
  progress: false,
  previews: false,
}

/** Capabilities of servers that run Stable Diffusion's models and their successors, with the sizes that these generate well. */
export const stableDiffusion = {
  ...promptOnly,
  sizes: [
    '1024x1024',
    '832x1216',
    '1216x832',
    '896x1152',
    '1152x896',
    '768x1344',
    '1344x768',
    '512x512',
    '512x768',
    '768x512',
  ],
  customSizes: { min: 64, max: 2048, step: 8 },
  seed: true,
  negativePrompt: true,
  referenceImages: 1,
  strength: true,
  mask: true,
  progress: true,
  previews: true,
} as const satisfies EngineCapabilities

/** Size of images if none is requested, of such a server and of the embedded engine. */
export const defaultSize: Size = { width: 1024, height: 1024 }

/** Settings with which an engine generated an image, as far as it reports them. */
export interface ReportedSettings {
  readonly model?: string
  readonly seed?: number
  readonly steps?: number
  readonly sampler?: string
  readonly scheduler?: string
  readonly cfgScale?: number
  /** The size as a request has it, of an engine whose images may have another one. */
  readonly size?: ImageSize
  /** What the provider charged for the image, in USD. */
  readonly cost?: number
  /** Words of the prompt that the image shows; only of an engine that knows. */
  readonly drawnFrom?: readonly string[]
  /** Words of the prompt that it does not show; only of an engine that knows. */
  readonly notDrawn?: readonly string[]
}

/** Leaves out the settings that are not known. */
export function knownSettings(values: {
  readonly [Name in keyof ReportedSettings]?: ReportedSettings[Name] | null | undefined
}): ReportedSettings {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  )
}

/** Event of a generation. A successful one ends with `complete`. */
export type EngineEvent =
  | {
      /** The server has accepted a job under an id of its own, which is stored before the generation goes on. */
      readonly type: 'submitted'
      readonly jobId: string
    }
  | {
      /** Number of jobs that wait ahead of it at the server; null once it has started. */
      readonly type: 'waiting'
      readonly ahead: number | null
    }
  | {
      /** Fraction that is done, 0 to 1. */
      readonly type: 'progress'
      readonly progress: number
    }
  | {
      /** Preview of the image, as JPEG, PNG or WebP; not stored. */
      readonly type: 'partial'
      readonly bytes: Uint8Array
    }
  | {
      /** Finished image, as JPEG, PNG or WebP. */
      readonly type: 'complete'
      readonly bytes: Uint8Array
      readonly settings?: ReportedSettings
    }

/** State of an engine, as `check` finds it. */
export interface EngineStatus {
  /** Models to choose from, the default first. Empty if unknown. */
  readonly models: readonly string[]
  /** Capabilities of the server, if they differ from those of its kind. */
  readonly capabilities?: EngineCapabilities
  /** Details of the models, by name, where the provider has them; those of all others under an empty name. */
  readonly modelDetails?: Readonly<Record<string, ModelDetails>>
}

/** Adapter of an image provider, or the embedded pattern generator. */
export interface ImageEngine {
  /** Stored with each image. */
  readonly id: string
  readonly kind: EngineKind
  /** Name for users. */
  readonly label: string
  /** Default model, or version of the algorithm; stored with each image. Empty until the engine reports it. */
  readonly model: string
  readonly capabilities: EngineCapabilities
  /** True if `check` reports the details of its models, which limit the capabilities. */
  readonly hasModelDetails?: true
  /** USD of an image by model, as the operator says; `default` for the others. */
  readonly prices?: Readonly<Record<string, number>> | undefined
  /** True if its images have a cost even without a price, which it reports with each. */
  readonly reportsCost?: true
  /**
   * Identifies the server behind the engine if it generates one image at a time: engines of the same server take turns.
   * Null: as many at a time as the configuration allows.
   */
  readonly serialKey: string | null
  /** True if the same request without a seed always gives the same image. */
  readonly isDeterministic: boolean
  /** True if `generate` continues a generation of the same image that another process sent. */
  readonly canResume: boolean
  /**
   * Generates one image: progress and previews, then the finished image. May be called concurrently. Ending the iteration
   * early cancels the generation.
   *
   * @param signal cancels the generation. If its reason is an AppError `interrupted`, another process continues: an engine
   *   with `canResume` does not cancel what it has sent
   * @throws AppError `prompt_blocked` or one of the `engine_…` codes, never an SDK's error
   * @throws the reason of `signal` after it is aborted
   */
  generate(request: EngineRequest, signal: AbortSignal): AsyncIterable<EngineEvent>
  /**
   * Checks that the engine can be used, without generating an image. Free of charge.
   *
   * @throws AppError one of the `engine_…` codes, with the reason for the operator as its cause
   * @throws the reason of `signal` after it is aborted
   */
  check(signal: AbortSignal): Promise<EngineStatus>
}

/** Reports whether another process continues a generation that was aborted. */
export function isLeftToOthers({ reason }: AbortSignal): boolean {
  return reason instanceof AppError && reason.code === 'interrupted'
}

/** Tags of stable-diffusion.cpp, whose server reads JSON between them as parameters that override those of the request. */
const parameterTags = /<sd_cpp_extra_args>.*?(?:<\/sd_cpp_extra_args>|$)/gis

/**
 * Replaces embedded parameters with a space, so that the text around them cannot form a new tag.
 *
 * Keeps LocalAI's `|`, which starts a negative prompt: it affects only the image, and other servers treat it as text.
 */
export function cleanPrompt(prompt: string): string {
  return prompt.replace(parameterTags, ' ').trim()
}
