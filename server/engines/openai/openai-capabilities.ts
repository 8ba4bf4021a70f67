import type { EngineCapabilities, ImageSize } from '../../../shared/engines.ts'
import { stableDiffusionSizes } from '../image-engine.ts'
import type { Endpoint } from './openai-client.ts'

/** Reports whether a model is one of OpenAI's, which are recognized by name behind any gateway. */
export function isOpenAiModel(endpoint: Endpoint, model: string): boolean {
  return endpoint.isOpenAi || /(^|\/)(chatgpt|gpt)-image/.test(model)
}

/** Reports whether a model is one of xAI's, whose API takes no size and has no edits in this form. */
export function isXaiModel(model: string): boolean {
  return /(^|\/)grok-/i.test(model)
}

/** Sizes that all of OpenAI's models accept. */
const openAiSizes: readonly ImageSize[] = ['1024x1024', '1536x1024', '1024x1536']

/** Sizes of a model, the default first; empty if its API takes none. */
export function sizesOf(endpoint: Endpoint, model: string): readonly ImageSize[] {
  if (isOpenAiModel(endpoint, model)) return openAiSizes
  // Servers that accept none of these generate their own size.
  return isXaiModel(model) ? [] : stableDiffusionSizes.sizes
}

/** Capabilities of a model behind the Images API, by its name: the API does not report them. */
export function capabilitiesOf(endpoint: Endpoint, model: string): EngineCapabilities {
  const isOpenAi = isOpenAiModel(endpoint, model)
  const hasEdits = isOpenAi || !isXaiModel(model)
  return {
    sizes: sizesOf(endpoint, model),
    customSizes: null,
    seed: false,
    negativePrompt: false,
    count: 4,
    referenceImages: isOpenAi ? 4 : hasEdits ? 1 : 0,
    strength: false,
    mask: hasEdits,
    progress: false,
    previews: isOpenAi,
  }
}
