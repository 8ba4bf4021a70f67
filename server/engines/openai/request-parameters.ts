import type { ImageGenerateParamsBase } from 'openai/resources/images'
import type { Endpoint } from './endpoint.ts'

/** A parameter that a request can do without. */
export type OptionalParameter = keyof typeof openAiParameters | keyof typeof compatibleParameters

/** What is asked of OpenAI's own models. Their `auto` quality is the dearest that a model has; two previews cost little. */
const openAiParameters = {
  n: 1,
  size: '1024x1024',
  output_format: 'jpeg',
  quality: 'medium',
  moderation: 'auto',
  stream: true,
  partial_images: 2,
} as const satisfies Partial<ImageGenerateParamsBase>

/** What is asked of other servers' models, many of which would answer with a URL. */
const compatibleParameters = {
  n: 1,
  size: '1024x1024',
  output_format: 'jpeg',
  response_format: 'b64_json',
  stream: true,
  partial_images: 2,
} as const satisfies Partial<ImageGenerateParamsBase>

/** The parameters of an endpoint, which fewer and fewer are sent of as it refuses them. */
export interface RequestParameters {
  /** A request for a picture with what has not been refused so far. */
  readonly request: (prompt: string) => ImageGenerateParamsBase
  /** Leaves a parameter out from now on. */
  readonly drop: (name: OptionalParameter) => void
}

/** What is known of an endpoint and a model at the start: OpenAI's models are known by name behind any gateway. */
export function createRequestParameters(endpoint: Endpoint, model: string): RequestParameters {
  const isOpenAiModel = endpoint.isOpenAi || /(^|\/)(chatgpt|gpt)-image/.test(model)
  const parameters: Partial<ImageGenerateParamsBase> = {
    ...(isOpenAiModel ? openAiParameters : compatibleParameters),
  }
  return {
    request: (prompt) => ({ model, prompt, ...parameters }),
    drop(name) {
      delete parameters[name]
      // Previews come in streams only, and asking for them without one is an error.
      if (name === 'stream') delete parameters.partial_images
    },
  }
}
