import type { OpenAiSettings } from '../../../../server/engines/openai/setting-names.ts'
import { images } from '../images.ts'
import {
  respondBytes,
  respondError,
  respondImage,
  respondJson,
  respondRedirect,
} from '../provider-responses.ts'
import { key, prompt, type Scenario } from '../scenario.ts'

const echo = `Incorrect API key provided: ${key} for ${prompt}`

const moderation: Scenario[] = [
  {
    name: 'recognizes moderation_blocked',
    responders: [
      respondError(400, {
        code: 'moderation_blocked',
        message: echo,
        moderation_details: { moderation_stage: 'input' },
      }),
    ],
    error: 'prompt_blocked',
    logs: /"moderationStage":"input"/,
  },
  {
    name: 'recognizes content_policy_violation',
    responders: [respondError(400, { code: 'content_policy_violation', type: 'invalid_request_error' })],
    error: 'prompt_blocked',
  },
  {
    name: "recognizes Azure's contentFilter",
    responders: [respondError(400, { code: 'contentFilter', message: 'size is invalid' })],
    error: 'prompt_blocked',
  },
  {
    name: "recognizes LiteLLM's moderation message",
    responders: [respondError(400, { code: '400', message: 'litellm.ContentPolicyViolationError: blocked' })],
    error: 'prompt_blocked',
  },
  {
    name: "recognizes xAI's moderation message",
    responders: [
      respondJson(
        {
          code: 'Client specified an invalid argument',
          error: 'Generated image rejected by content moderation.',
        },
        { status: 400 },
      ),
    ],
    error: 'prompt_blocked',
  },
]

const credit: Scenario[] = [
  {
    name: 'recognizes insufficient_quota',
    responders: [
      respondError(
        429,
        { code: 'insufficient_quota', type: 'insufficient_quota' },
        { 'retry-after-ms': '1' },
      ),
    ],
    error: 'engine_out_of_credit',
    logs: /out of credit: add credit/,
  },
  {
    name: 'recognizes billing_hard_limit_reached',
    responders: [respondError(400, { code: 'billing_hard_limit_reached', type: 'billing_limit_user_error' })],
    error: 'engine_out_of_credit',
  },
  {
    name: 'recognizes a billing message without a code',
    responders: [
      respondError(429, { code: '429', message: 'You exceeded your current quota' }, { 'retry-after': '0' }),
    ],
    error: 'engine_out_of_credit',
  },
  {
    name: 'recognizes status 402',
    responders: [respondError(402, { message: 'Payment required' })],
    error: 'engine_out_of_credit',
  },
]

const others: Scenario[] = [
  {
    name: 'reports status 500',
    responders: [respondError(500, { type: 'server_error', message: echo })],
    error: 'engine_failed',
    logs: /req_fake/,
  },
  {
    name: 'reads a plain string with status 500',
    responders: [respondJson({ error: echo }, { status: 500 })],
    error: 'engine_failed',
  },
  {
    name: 'does not retry a 503 with retry-after',
    responders: [respondError(503, { message: 'overloaded' }, { 'retry-after': '0' })],
    error: 'engine_failed',
  },
  {
    name: 'reports an HTML page with status 502',
    responders: [respondBytes(`<h1>Bad gateway ${key}</h1>`, 'text/html', 502)],
    error: 'engine_failed',
  },
  {
    name: 'reports status 504 as a timeout',
    responders: [respondBytes('', 'text/plain', 504)],
    error: 'engine_timeout',
  },
  {
    name: 'reports other errors with status 400',
    responders: [respondError(400, { code: 'string_above_max_length', param: 'prompt', message: prompt })],
    error: 'engine_failed',
  },
  {
    name: 'ignores x-should-retry',
    responders: [respondError(500, {}, { 'x-should-retry': 'true' })],
    error: 'engine_failed',
  },
  {
    name: 'reports an error response of 2 MB',
    responders: [respondBytes(' '.repeat(2_000_000), 'text/html', 500)],
    error: 'engine_failed',
  },
]

/** Blocked prompts, billing and errors of the service. */
export const errors: Scenario[] = [...moderation, ...credit, ...others]

const { jpeg } = images
const rateLimit = (headers?: Record<string, string>) =>
  respondError(
    429,
    { code: 'rate_limit_exceeded', type: 'requests', message: 'You can add a payment method at /billing' },
    headers,
  )

/** Rate limits, with and without a delay. */
export const rateLimits: Scenario[] = [
  {
    name: 'waits for retry-after-ms',
    responders: [rateLimit({ 'retry-after-ms': '60' }), respondImage(jpeg)],
    images: [jpeg],
    logs: /"milliseconds":60/,
  },
  {
    name: 'waits for retry-after in seconds',
    responders: [rateLimit({ 'retry-after': '0.08' }), respondImage(jpeg)],
    images: [jpeg],
    logs: /"milliseconds":80/,
  },
  {
    name: 'waits twice',
    responders: [rateLimit({ 'retry-after': '0' }), rateLimit({ 'retry-after': '0' }), respondImage(jpeg)],
    images: [jpeg],
  },
  {
    name: 'fails if the delay exceeds the maximum',
    responders: [rateLimit({ 'retry-after': '3600' })],
    error: 'engine_busy',
    retryAfter: 3_600,
  },
  { name: 'fails without a delay', responders: [rateLimit()], error: 'engine_busy' },
  {
    name: 'fails after five delays',
    responders: Array.from({ length: 6 }, () => rateLimit({ 'retry-after-ms': '1' })),
    error: 'engine_busy',
    retryAfter: 1,
  },
  {
    name: 'stops waiting when aborted',
    responders: [rateLimit({ 'retry-after': '50' })],
    abort: 'on request',
  },
]

/** Errors that operators can fix; the log names the settings. */
export const configurationErrors = (settings: OpenAiSettings): Scenario[] => [
  {
    name: 'reports a rejected key',
    responders: [respondError(401, { code: 'invalid_api_key', message: echo })],
    error: 'engine_misconfigured',
    logs: new RegExp(`check ${settings.apiKey}`),
  },
  {
    name: 'does not log a code that contains the key',
    responders: [
      respondError(401, { code: key, type: `x-${key}`, param: key, message: echo }, { 'x-request-id': key }),
    ],
    error: 'engine_misconfigured',
  },
  {
    name: 'reports a key without permission',
    responders: [respondError(403, { message: echo })],
    error: 'engine_misconfigured',
    logs: new RegExp(settings.model),
  },
  {
    name: 'reports an unknown model with status 404',
    responders: [respondError(404, { code: 'model_not_found' })],
    error: 'engine_misconfigured',
    logs: /no such model.*"?/,
  },
  {
    name: 'reports a wrong address',
    responders: [respondBytes('<h1>404</h1>', 'text/html', 404)],
    error: 'engine_misconfigured',
    logs: new RegExp(settings.url),
  },
  {
    name: 'reports an unknown model with status 400',
    responders: [respondError(400, { code: 'model_not_found', param: 'model' })],
    error: 'engine_misconfigured',
  },
  {
    name: 'does not follow redirects',
    responders: [respondRedirect('/v1/images/generations', 308)],
    error: 'engine_misconfigured',
    logs: /final address/,
  },
]
