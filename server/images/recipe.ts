import { engineKinds, type EngineKind, type ImageSize } from '../../shared/engines.ts'
import type { Recipe } from '../../shared/images.ts'
import type { ImageProducer } from '../formats/xmp.ts'
import type { ImageRow } from './images.ts'

/** Column `recipe` of an image: settings that have no column of their own. Unknown and unused ones are absent. */
export interface StoredRecipe {
  readonly engineLabel?: string
  /** Set if it was requested; the one that generated the image is in the column `model`. */
  readonly model?: string
  readonly negativePrompt?: string
  readonly size?: ImageSize
  readonly seed?: number
  readonly steps?: number
  readonly sampler?: string
  readonly scheduler?: string
  readonly cfgScale?: number
  readonly strength?: number
  readonly referenceImageIds?: readonly string[]
  readonly maskImageId?: string
  readonly drawnFrom?: readonly string[]
}

/** Parses the stored recipe of an image; empty if it has none. */
export function storedRecipe({ recipe }: Pick<ImageRow, 'recipe'>): StoredRecipe {
  return recipe === null ? {} : (JSON.parse(recipe) as StoredRecipe)
}

/** Returns the recipe of an image as its owner sees it; null for an upload. */
export function recipeOf(row: ImageRow): Recipe | null {
  if (row.engine === null) return null
  const stored = storedRecipe(row)
  return {
    engine: row.engine,
    engineLabel: stored.engineLabel ?? '',
    model: row.model ?? '',
    prompt: row.prompt,
    negativePrompt: stored.negativePrompt ?? '',
    size: stored.size ?? (row.width && row.height ? `${row.width}x${row.height}` : null),
    seed: stored.seed ?? null,
    steps: stored.steps ?? null,
    sampler: stored.sampler ?? null,
    scheduler: stored.scheduler ?? null,
    cfgScale: stored.cfgScale ?? null,
    strength: stored.strength ?? null,
    referenceImageIds: stored.referenceImageIds ?? [],
    remixOf: row.remix_of,
    drawnFrom: stored.drawnFrom ?? null,
  }
}

/** Returns the kind of the engine that generated an image, also if it is not configured any more; null for an upload. */
export function engineKindOf(row: Pick<ImageRow, 'engine' | 'engine_kind'>): EngineKind | null {
  return row.engine_kind ?? engineKinds.find((kind) => kind === row.engine) ?? null
}

/** Returns the producer that an image's row names; null for an upload. */
export function producerOf(row: Pick<ImageRow, 'engine' | 'engine_kind' | 'model'>): ImageProducer | null {
  const kind = engineKindOf(row)
  return kind && row.model !== null ? { kind, model: row.model } : null
}
