/** Names of the settings, for messages to the operator. */
export interface OpenAiSettings {
  readonly apiKey: string
  readonly url: string
  readonly model: string
}

/** Environment variables of the single engine. */
export const environmentSettings: OpenAiSettings = {
  apiKey: 'OPENAI_API_KEY',
  url: 'OPENAI_BASE_URL',
  model: 'OPENAI_IMAGE_MODEL',
}

/** Keys of an engine in the engines file. */
export const fileSettings: OpenAiSettings = { apiKey: 'apiKey', url: 'url', model: 'model' }
