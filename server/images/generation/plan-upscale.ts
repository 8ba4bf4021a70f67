import { upscaleMaxPixels } from '../../../shared/limits.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { chooseEngine, listEngines } from '../../engines/engines.ts'
import { AppError } from '../../errors/app-error.ts'
import { findOwnImage } from '../images.ts'
import type { Needs } from '../services.ts'
import {
  boundCost,
  digestOfSettings,
  type GenerationPlan,
  requireUsable,
  type RequestKey,
} from './generation-options.ts'

export interface UpscaleRequest {
  readonly imageId: string
  /** Without one, the engine that generated the image if it can, or else the first that can. */
  readonly engine?: string | undefined
  readonly factor: number
  readonly requestKey?: string | undefined
}

export function upscaleKeyOf({
  requestKey: key,
  imageId,
  engine,
  factor,
}: UpscaleRequest): RequestKey | null {
  if (key === undefined) return null
  return { key, prompts: null, count: 1, digest: digestOfSettings(['upscale', imageId, engine, factor]) }
}

/**
 * Checks a request to enlarge an image.
 *
 * @throws AppError see `chooseEngine` and `requireUsable`; `not_found`; `bad_input` for a factor that no engine has, or too large an
 *   image; `engine_unavailable` for an engine that is down and has not reported what it can
 */
export async function planUpscale(
  services: Needs<'db' | 'readOptions' | 'engines'>,
  viewer: Viewer,
  request: UpscaleRequest,
): Promise<GenerationPlan> {
  const { db, engines } = services
  const { factor } = request
  const source = await findOwnImage(db, viewer, request.imageId)
  requireUsable(source)
  const { width, height } = source
  if ((width ?? 0) * (height ?? 0) * factor ** 2 > upscaleMaxPixels) {
    throw new AppError('bad_input', 'The image would have more than 16 megapixels. Choose a smaller factor.')
  }
  const options = await services.readOptions(db)
  const listed = await listEngines(engines, options, viewer.role)
  const able = listed.filter(({ capabilities }) => capabilities.upscale.includes(factor))
  const up = able.filter(({ isAvailable }) => isAvailable)
  const found = up.find(({ id }) => id === source.engine) ?? up[0] ?? able[0]
  if (request.engine === undefined && !found) {
    throw new AppError('bad_input', `No image engine of this site enlarges images ${factor} times.`)
  }
  const engine = chooseEngine(engines, options, { role: viewer.role, id: request.engine ?? found?.id })
  if (!able.some(({ id }) => id === engine.id)) {
    const isDown = listed.some(({ id, isAvailable }) => id === engine.id && !isAvailable)
    if (isDown) throw new AppError('engine_unavailable')
    throw new AppError('bad_input', `${engine.label} does not enlarge images ${factor} times.`)
  }
  const recipe = { engineLabel: engine.label, upscale: factor, sourceImageId: source.id }
  return {
    engine,
    remixOf: source.remix_of,
    images: [{ prompt: source.prompt, recipe }],
    isReusable: false,
    priceMicros: await boundCost(db, engine, engine.model, null),
  }
}
