import { APIError, type OpenAI } from 'openai'
import type { Logger } from 'pino'
import type { ChatEngineConfig } from '../../config/engine-section.ts'
import { fileSettings } from '../../config/engine-section.ts'
import type { EngineCapabilities, ImageSize } from '../../../shared/engines.ts'
import { EngineError } from '../engine-error.ts'
import { readBytes } from '../engine-http.ts'
import { jsonMaxBytes } from '../engine-image.ts'
import type { EngineEvent, EngineRequest, ImageEngine } from '../image-engine.ts'
import { readError } from '../openai/engine-errors.ts'
import { loadImage } from '../openai/fetch-image.ts'
import { noReferencesMessage } from '../openai/image-request.ts'
import { createOpenAiClient, parseEndpoint, type Endpoint } from '../openai/openai-client.ts'
import { createProviderEngine } from '../openai/provider-engine.ts'
import { RejectedParameters, sendRequest } from '../openai/send-request.ts'
import { readChatImage } from './chat-response.ts'

/** Aspect ratios, with the sizes that Gemini's image models have for them. The default is first. */
const aspectRatios: readonly { readonly size: ImageSize; readonly ratio: string }[] = [
  { size: '1024x1024', ratio: '1:1' },
  { size: '832x1248', ratio: '2:3' },
  { size: '1248x832', ratio: '3:2' },
  { size: '864x1184', ratio: '3:4' },
  { size: '1184x864', ratio: '4:3' },
  { size: '768x1344', ratio: '9:16' },
  { size: '1344x768', ratio: '16:9' },
  { size: '1536x672', ratio: '21:9' },
]

const capabilities: EngineCapabilities = {
  sizes: aspectRatios.map(({ size }) => size),
  customSizes: null,
  seed: false,
  negativePrompt: false,
  count: 4,
  referenceImages: 4,
  strength: false,
  mask: false,
  progress: false,
  previews: false,
}

/**
 * Creates an engine for chat completions with image output.
 *
 * @see https://openrouter.ai/docs/guides/overview/multimodal/image-generation
 */
export function createChatEngine({
  id,
  label,
  url,
  apiKey,
  model,
  log,
}: ChatEngineConfig & { readonly log: Logger }): ImageEngine {
  const endpoint = parseEndpoint(url)
  const secrets = apiKey === null ? [] : [apiKey]
  const client = createOpenAiClient(endpoint, apiKey)
  const sender = { client, endpoint, model, log, secrets, rejected: new RejectedParameters() }
  return createProviderEngine(
    {
      id,
      kind: 'chat',
      label,
      model,
      capabilities,
      client,
      endpoint,
      secrets,
      settings: fileSettings,
      log,
    },
    async function* generate(request, signal) {
      yield await generateImage(sender, request, signal)
    },
  )
}

interface Sender {
  readonly client: OpenAI
  readonly endpoint: Endpoint
  readonly model: string
  readonly log: Logger
  readonly secrets: readonly string[]
  readonly rejected: RejectedParameters
}

/** @throws EngineError, or a system error of the connection */
async function generateImage(
  { client, endpoint, model, log, secrets, rejected }: Sender,
  { prompt, size, references }: EngineRequest,
  signal: AbortSignal,
): Promise<EngineEvent> {
  const required = { model, messages: [{ role: 'user', content: contentOf(prompt, references) }] }
  const imageConfig = { aspect_ratio: aspectRatioOf(size) }
  const { response } = await sendRequest(
    {
      prompt,
      choose: (isRejected) => ({
        ...(!isRejected('modalities') && {
          modalities: isRejected('modalities.text') ? ['image'] : ['image', 'text'],
        }),
        ...(!isRejected('image_config', imageConfig) && { image_config: imageConfig }),
      }),
      byValue: ['image_config'],
      rejected,
      async send(parameters) {
        try {
          const body = { ...required, ...parameters }
          return await client.post<Response>('/chat/completions', { body, signal }).asResponse()
        } catch (thrown) {
          throw references.length > 0 && takesNoImages(thrown) ? noReferences() : thrown
        }
      },
      log,
    },
    signal,
  )
  const text = await readBytes(response.body ?? ReadableStream.from<Uint8Array>([]), jsonMaxBytes)
  const image = readChatImage(text.toString(), response.headers, secrets)
  const bytes = await loadImage(image.source, endpoint, signal)
  return { type: 'complete', bytes, ...(image.model !== null && { settings: { model: image.model } }) }
}

function contentOf(prompt: string, references: readonly Uint8Array[]) {
  if (references.length === 0) return prompt
  return [
    { type: 'text', text: prompt },
    ...references.map((bytes) => ({
      type: 'image_url',
      image_url: { url: `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}` },
    })),
  ]
}

/** Returns the aspect ratio that is nearest to that of a size. */
function aspectRatioOf(size: EngineRequest['size']): string {
  const wanted = size === null ? 1 : size.width / size.height
  const distance = (ratio: string) => {
    const [width = 1, height = 1] = ratio.split(':').map(Number)
    return Math.abs(Math.log(wanted / (width / height)))
  }
  const ratios = aspectRatios.map(({ ratio }) => ratio)
  return ratios.reduce((nearest, ratio) => (distance(ratio) < distance(nearest) ? ratio : nearest))
}

/** Recognizes OpenRouter's response if no provider of the model takes images. */
function takesNoImages(thrown: unknown): boolean {
  return thrown instanceof APIError && /support image input/i.test(readError(thrown.error).message ?? '')
}

function noReferences(): EngineError {
  return new EngineError('engine_failed', 'the model takes no images', {}, noReferencesMessage)
}
