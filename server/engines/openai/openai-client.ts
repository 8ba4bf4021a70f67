import OpenAI from 'openai'
import { endpointFetch } from './endpoint-fetch.ts'
import type { Endpoint } from './endpoint.ts'

/** The longest wait that a timer can hold; the SDK's default would end a request after ten minutes. */
const noTimeout = 2 ** 31 - 1

/** What the SDK needs to be constructed at all; never sent. */
const noKey = 'none'

/**
 * The SDK's client, doing one request where it is asked for one, and silent: its own log shows prompts.
 *
 * What it would read from the environment by itself is set here, so that the configuration alone decides; only
 * OPENAI_CUSTOM_HEADERS is left to it, which gateways may need.
 */
export function createOpenAiClient(endpoint: Endpoint, apiKey: string | null): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? noKey,
    ...(apiKey === null && { defaultHeaders: { authorization: null } }),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    defaultQuery: endpoint.query,
    fetch: endpointFetch,
    maxRetries: 0,
    timeout: noTimeout,
    logLevel: 'off',
  })
}
