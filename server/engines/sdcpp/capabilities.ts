import { z } from 'zod'
import {
  acceptsSize,
  type EngineCapabilities,
  type ImageSize,
  type ModelDetails,
  type ParameterValues,
} from '../../../shared/engines.ts'
import { EngineError } from '../engine-error.ts'
import { stableDiffusion } from '../image-engine.ts'
import { type OfferedLoras, offerLoras } from '../loras.ts'

/** What each server takes. It reports no progress and no previews. */
export const serverCapabilities: EngineCapabilities = { ...stableDiffusion, progress: false, previews: false }

const sampling = z.object({
  sample_method: z.string(),
  scheduler: z.string(),
  sample_steps: z.int(),
  guidance: z.object({ txt_cfg: z.number() }),
})
const side = z.int().positive()

/** Answer of `/sdcpp/v1/capabilities`, without the path of the model, which is the server's own matter. */
const answer = z.object({
  model: z.object({ stem: z.string().max(200) }),
  defaults_by_mode: z.object({
    img_gen: z.object({ width: side, height: side, sample_params: sampling }).optional(),
  }),
  limits: z.object({ min_width: side, max_width: side, min_height: side, max_height: side }),
  samplers: z.array(z.string()),
  schedulers: z.array(z.string()),
  loras: z.array(z.object({ name: z.string(), path: z.string() })).catch([]),
  upscalers: z.array(z.object({ name: z.string() })).catch([]),
})

export type ServerModel = ReturnType<typeof readModel>

/** @throws EngineError for a server that generates no images */
export function readModel(body: unknown, offered: OfferedLoras) {
  const { data } = answer.safeParse(body)
  if (!data) throw new EngineError('engine_misconfigured', 'the server is no sd-server of 2026: check url')
  const { samplers, schedulers, limits, model } = data
  const upscalers = data.upscalers.flatMap(({ name }) => (name === 'None' ? [] : name))
  const defaults = data.defaults_by_mode.img_gen
  if (!defaults) throw new EngineError('engine_misconfigured', 'the model of the server generates no images')
  const { width, height } = defaults
  const loras = offerLoras(
    data.loras.map(({ name, path: value }) => ({ name, value })),
    offered,
  )
  const customSizes = {
    ...stableDiffusion.customSizes,
    min: Math.max(limits.min_width, limits.min_height),
    max: Math.min(stableDiffusion.customSizes.max, limits.max_width, limits.max_height),
  }
  const isWithin = (size: ImageSize) => acceptsSize({ ...serverCapabilities, sizes: [], customSizes }, size)
  const sizes = new Set<ImageSize>([`${width}x${height}`, ...stableDiffusion.sizes.filter(isWithin)])
  return {
    // Empty for a model in parts without the main one.
    name: model.stem || 'sd-server',
    details: {
      capabilities: { ...serverCapabilities, sizes: [...sizes], customSizes, loras: [...loras.keys()] },
      parameters: [
        { name: 'sampler', type: 'enum', values: samplers },
        { name: 'scheduler', type: 'enum', values: schedulers },
        { name: 'steps', type: 'range', min: 1, max: 150 },
        { name: 'cfg_scale', type: 'range', min: 0, max: 30 },
        ...(upscalers.length > 0
          ? [{ name: 'hires_upscaler', type: 'enum' as const, values: upscalers }]
          : []),
      ],
      price: null,
    } satisfies ModelDetails,
    size: { width, height },
    loras,
    defaults: defaults.sample_params,
  }
}

/** Returns the `sample_params` of an image: what its request asks for, or else what the server has. */
export function samplingOf(
  { defaults }: ServerModel,
  { sampler, scheduler, steps, cfg_scale }: ParameterValues,
) {
  return {
    sample_method: String(sampler ?? defaults.sample_method),
    scheduler: String(scheduler ?? defaults.scheduler),
    // The server ignores a number that is not whole.
    sample_steps: Math.round(Number(steps ?? defaults.sample_steps)),
    guidance: { txt_cfg: Number(cfg_scale ?? defaults.guidance.txt_cfg) },
  }
}
