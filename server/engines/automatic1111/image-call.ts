import type { EngineConfig } from '../../config/engine-section.ts'
import { EngineError } from '../engine-error.ts'
import { decodeImage, fieldsOf, listOf, parseJson, toBase64 } from '../engine-http.ts'
import { defaultSize, type EngineRequest, knownSettings } from '../image-engine.ts'
import { chooseSize } from '../image-sizes.ts'

/** Steps if none are configured, as in the web page of AUTOMATIC1111. Its API has 50. */
const defaultSteps = 20

const defaultStrength = 0.75

/** Options of the server during one call: more previews than every ten steps, and cheap ones. */
const previewOptions = {
  live_previews_enable: true,
  show_progress_every_n_steps: 3,
  show_progress_type: 'Approx NN',
}

/** Id of the job of an image at servers that know jobs by one. */
export function taskIdOf({ imageId }: EngineRequest): string {
  return `rangoli-${imageId}`
}

export interface ImageCall {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

interface CallOptions {
  readonly config: Pick<EngineConfig<'automatic1111'>, 'steps' | 'sampler' | 'scheduler' | 'cfgScale'>
  /** Title of the model to switch to; null for the loaded one. */
  readonly title: string | null
  /** Name of the model for proxies that choose a server by it; null to send none. */
  readonly model: string | null
  /** True if the server has one model, whose steps it was started with. */
  readonly hasOwnSteps: boolean
  readonly reportsProgress: boolean
  readonly loras: readonly { readonly value: string; readonly weight: number }[]
  /** False if the prompt names LoRAs. */
  readonly hasLoraField: boolean
}

/** Creates the request for one image, whose prompts contain no embedded parameters. */
export async function createCall(
  request: EngineRequest,
  { config, title, model, hasOwnSteps, reportsProgress, loras, hasLoraField }: CallOptions,
): Promise<ImageCall> {
  const tags = hasLoraField ? [] : loras.map(({ value, weight }) => `<lora:${value}:${weight}>`)
  // JSON has no keys whose values are undefined.
  const body = {
    prompt: [request.prompt, ...tags].join(' '),
    ...(hasLoraField && { lora: loras.map(({ value, weight }) => ({ path: value, multiplier: weight })) }),
    negative_prompt: request.negativePrompt,
    ...(await chooseSize(request, defaultSize)),
    seed: request.seed ?? -1,
    steps: config.steps ?? (hasOwnSteps ? undefined : defaultSteps),
    cfg_scale: config.cfgScale ?? undefined,
    sampler_name: config.sampler ?? undefined,
    scheduler: config.scheduler ?? undefined,
    model: model ?? undefined,
    batch_size: 1,
    n_iter: 1,
    send_images: true,
    save_images: false,
    force_task_id: taskIdOf(request),
    override_settings: {
      ...(reportsProgress && previewOptions),
      sd_model_checkpoint: title ?? undefined,
    },
    override_settings_restore_afterwards: true,
  }
  const [reference] = request.references
  if (!reference) return { path: '/sdapi/v1/txt2img', body }
  return {
    path: '/sdapi/v1/img2img',
    body: {
      ...body,
      init_images: [toBase64(reference)],
      denoising_strength: request.strength ?? defaultStrength,
      // Cropped instead of stretched.
      resize_mode: 1,
      ...(request.mask && {
        mask: toBase64(request.mask),
        // The API would fill the white areas with the colors around them.
        inpainting_fill: 1,
        inpaint_full_res: false,
      }),
    },
  }
}

export function createUpscaleCall(
  { references }: EngineRequest,
  factor: number,
  upscaler: string,
): ImageCall {
  const [source = Buffer.of()] = references
  return {
    path: '/sdapi/v1/extra-single-image',
    // Mode 0 scales by a factor: the others ignore it, and the server then returns the image as it is.
    body: { image: toBase64(source), resize_mode: 0, upscaling_resize: factor, upscaler_1: upscaler },
  }
}

/** Reads the image of a response, and its settings: those reported, else those sent. @throws EngineError if it contains none */
export function readResult(response: unknown, { body: sent }: ImageCall) {
  const { images, image: enlarged, info: text } = fieldsOf(response)
  // koboldcpp sends an empty text.
  const info = fieldsOf(typeof text === 'string' ? parseJson(text) : text)
  // A grid of all images may come first.
  const index = integer(info['index_of_first_image'], 0, 100) ?? 0
  const image = enlarged ?? listOf(images)[index]
  if (typeof image !== 'string' || image === '') {
    throw new EngineError('engine_failed', 'the server responded without an image')
  }
  const extra = fieldsOf(info['extra_generation_params'])
  return {
    bytes: decodeImage(image),
    settings: knownSettings({
      model: name(info['sd_model_name']) ?? name(sent['upscaler_1']),
      seed: integer(info['seed'], 0, maxSeed) ?? integer(sent['seed'], 0, maxSeed),
      steps: integer(info['steps'], 1, 1_000) ?? integer(sent['steps'], 1, 1_000),
      sampler: setting(info['sampler_name']) ?? setting(sent['sampler_name']),
      scheduler: setting(extra['Schedule type']) ?? setting(sent['scheduler']),
      cfgScale: scale(info['cfg_scale']) ?? scale(sent['cfg_scale']),
    }),
  }
}

const maxSeed = 2 ** 32 - 1

function integer(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : null
}

function scale(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 100 ? value : null
}

/** Maximum length of a reported name, in UTF-16 code units. */
const nameMaxLength = 200

/** Reads a name for the recipe, without the folders of a path. */
function name(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.replaceAll(/\p{Cc}/gu, ' ').trim()
  const file = /^([a-z]:)?[\\/]/i.test(text) ? text.replace(/^.*[\\/]/, '') : text
  return file === '' ? null : file.slice(0, nameMaxLength)
}

/** Reads the name of a setting. stable-diffusion.cpp reports `NONE` for the default of the model, which it does not name. */
function setting(value: unknown): string | null {
  return value === 'NONE' ? null : name(value)
}
