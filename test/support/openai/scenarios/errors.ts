import type { ErrorCode } from '../../../../shared/errors.ts'
import type { OpenAiSettings } from '../../../../server/engines/openai/setting-names.ts'
import { images } from '../images.ts'
import {
  respondBytes,
  respondError,
  respondImage,
  respondJson,
  respondRedirect,
} from '../provider-responses.ts'
import type { Responder } from '../provider.ts'
import { key, prompt, type Scenario } from '../scenario.ts'

const echo = `Incorrect API key provided: ${key} for ${prompt}`

const fails = (name: string, responder: Responder, error: ErrorCode, logs?: RegExp): Scenario => ({
  name,
  responders: [responder],
  error,
  ...(logs && { logs }),
})

const blocks = (name: string, responder: Responder) =>
  fails(`recognizes ${name}`, responder, 'prompt_blocked')

const moderation: Scenario[] = [
  fails(
    'recognizes moderation_blocked',
    respondError(400, {
      code: 'moderation_blocked',
      message: echo,
      moderation_details: { moderation_stage: 'input' },
    }),
    'prompt_blocked',
    /"moderationStage":"input"/,
  ),
  blocks(
    'content_policy_violation',
    respondError(400, { code: 'content_policy_violation', type: 'invalid_request_error' }),
  ),
  blocks("Azure's contentFilter", respondError(400, { code: 'contentFilter', message: 'size is invalid' })),
  blocks(
    "LiteLLM's moderation message",
    respondError(400, { code: '400', message: 'litellm.ContentPolicyViolationError: blocked' }),
  ),
  blocks(
    "xAI's moderation message",
    respondJson(
      {
        code: 'Client specified an invalid argument',
        error: 'Generated image rejected by content moderation.',
      },
      { status: 400 },
    ),
  ),
]

const needsCredit = (name: string, responder: Responder, logs?: RegExp) =>
  fails(`recognizes ${name}`, responder, 'engine_out_of_credit', logs)

const credit: Scenario[] = [
  needsCredit(
    'insufficient_quota',
    respondError(429, { code: 'insufficient_quota', type: 'insufficient_quota' }, { 'retry-after-ms': '1' }),
    /out of credit: add credit/,
  ),
  needsCredit(
    'billing_hard_limit_reached',
    respondError(400, { code: 'billing_hard_limit_reached', type: 'billing_limit_user_error' }),
  ),
  needsCredit(
    'a billing message without a code',
    respondError(429, { code: '429', message: 'You exceeded your current quota' }, { 'retry-after': '0' }),
  ),
  needsCredit('status 402', respondError(402, { message: 'Payment required' })),
]

const others: Scenario[] = [
  fails(
    'reports status 500',
    respondError(500, { type: 'server_error', message: echo }),
    'engine_failed',
    /req_fake/,
  ),
  fails(
    'reads a plain string with status 500',
    respondJson({ error: echo }, { status: 500 }),
    'engine_failed',
  ),
  fails(
    'does not retry a 503 with retry-after',
    respondError(503, { message: 'overloaded' }, { 'retry-after': '0' }),
    'engine_failed',
  ),
  fails(
    'reports an HTML page with status 502',
    respondBytes(`<h1>Bad gateway ${key}</h1>`, 'text/html', 502),
    'engine_failed',
  ),
  fails('reports status 504 as a timeout', respondBytes('', 'text/plain', 504), 'engine_timeout'),
  fails(
    'reports other errors with status 400',
    respondError(400, { code: 'string_above_max_length', param: 'prompt', message: prompt }),
    'engine_failed',
  ),
  fails('ignores x-should-retry', respondError(500, {}, { 'x-should-retry': 'true' }), 'engine_failed'),
  fails(
    'reports an error response of 2 MB',
    respondBytes(' '.repeat(2_000_000), 'text/html', 500),
    'engine_failed',
  ),
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
export function configurationErrors(settings: OpenAiSettings): Scenario[] {
  const misconfigured = (name: string, responder: Responder, logs?: RegExp) =>
    fails(name, responder, 'engine_misconfigured', logs)
  return [
    misconfigured(
      'reports a rejected key',
      respondError(401, { code: 'invalid_api_key', message: echo }),
      new RegExp(`check ${settings.apiKey}`),
    ),
    misconfigured(
      'does not log a code that contains the key',
      respondError(401, { code: key, type: `x-${key}`, param: key, message: echo }, { 'x-request-id': key }),
    ),
    misconfigured(
      'reports a key without permission',
      respondError(403, { message: echo }),
      new RegExp(settings.model),
    ),
    misconfigured(
      'reports an unknown model with status 404',
      respondError(404, { code: 'model_not_found' }),
      /no such model/,
    ),
    misconfigured(
      'reports a wrong address',
      respondBytes('<h1>404</h1>', 'text/html', 404),
      new RegExp(settings.url),
    ),
    misconfigured(
      'reports an unknown model with status 400',
      respondError(400, { code: 'model_not_found', param: 'model' }),
    ),
    misconfigured(
      'does not follow redirects',
      respondRedirect('/v1/images/generations', 308),
      /final address/,
    ),
  ]
}
