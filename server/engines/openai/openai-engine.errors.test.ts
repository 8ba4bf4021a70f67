import { expect, test } from 'vitest'
import { parseRetryAfter } from './provider-errors.ts'
import { environmentSettings } from './setting-names.ts'
import { images } from '../../../test/support/openai/images.ts'
import {
  respondBytes,
  respondError,
  respondImage,
  respondJson,
  respondRedirect,
} from '../../../test/support/openai/provider-responses.ts'
import type { Responder } from '../../../test/support/openai/provider.ts'
import { key, prompt, testScenarios } from '../../../test/support/openai/scenario.ts'

const echo = `Incorrect API key provided: ${key} for ${prompt}`
const invalidArgument = 'Client specified an invalid argument'
const stage = { moderation_details: { moderation_stage: 'input' } }

testScenarios('error', [
  [
    'recognizes moderation_blocked',
    respondError(400, { code: 'moderation_blocked', message: echo, ...stage }),
    'prompt_blocked',
    { logs: /"moderationStage":"input"/ },
  ],
  [
    'recognizes content_policy_violation',
    respondError(400, { code: 'content_policy_violation', type: 'invalid_request_error' }),
    'prompt_blocked',
  ],
  [
    "recognizes Azure's contentFilter",
    respondError(400, { code: 'contentFilter', message: 'size is invalid' }),
    'prompt_blocked',
  ],
  [
    "recognizes LiteLLM's moderation message",
    respondError(400, { code: '400', message: 'litellm.ContentPolicyViolationError: blocked' }),
    'prompt_blocked',
  ],
  [
    "recognizes xAI's moderation message",
    respondJson(
      { code: invalidArgument, error: 'Generated image rejected by content moderation.' },
      { status: 400 },
    ),
    'prompt_blocked',
  ],
  [
    'recognizes insufficient_quota',
    respondError(429, { code: 'insufficient_quota' }, { 'retry-after-ms': '1' }),
    'engine_out_of_credit',
    { logs: /out of credit: add credit/ },
  ],
  [
    'recognizes billing_hard_limit_reached',
    respondError(400, { code: 'billing_hard_limit_reached', type: 'billing_limit_user_error' }),
    'engine_out_of_credit',
  ],
  [
    'recognizes a billing message without a code',
    respondError(429, { code: '429', message: 'You exceeded your current quota' }, { 'retry-after': '0' }),
    'engine_out_of_credit',
  ],
  ['recognizes status 402', respondError(402, { message: 'Payment required' }), 'engine_out_of_credit'],
  [
    'reports status 500, also if it asks for a retry',
    respondError(500, { type: 'server_error', message: echo }, { 'x-should-retry': 'true' }),
    'engine_failed',
    { logs: /req_fake/ },
  ],
  ['reads a plain string with status 500', respondJson({ error: echo }, { status: 500 }), 'engine_failed'],
  [
    'does not retry a 503 with retry-after',
    respondError(503, { message: 'overloaded' }, { 'retry-after': '0' }),
    'engine_failed',
  ],
  [
    'reports an HTML page with status 502',
    respondBytes(`<h1>Bad gateway ${key}</h1>`, 'text/html', 502),
    'engine_failed',
  ],
  ['reports status 504 as a timeout', respondBytes('', 'text/plain', 504), 'engine_timeout'],
  [
    'reports other errors with status 400',
    respondError(400, { code: 'string_above_max_length', param: 'prompt', message: prompt }),
    'engine_failed',
  ],
  [
    'reports an error response of 2 MB',
    respondBytes(' '.repeat(2_000_000), 'text/html', 500),
    'engine_failed',
  ],
])

const { jpeg } = images
const limit = (headers?: Record<string, string>) =>
  respondError(429, { code: 'rate_limit_exceeded', message: 'Add a payment method at /billing' }, headers)

testScenarios('rate limit', [
  [
    'waits for retry-after-ms',
    [limit({ 'retry-after-ms': '60' }), respondImage(jpeg)],
    jpeg,
    { logs: /"milliseconds":60/ },
  ],
  [
    'waits for retry-after in seconds, twice',
    [limit({ 'retry-after': '0.08' }), limit({ 'retry-after': '0' }), respondImage(jpeg)],
    jpeg,
    { logs: /"milliseconds":80/ },
  ],
  [
    'fails if the delay exceeds the maximum',
    limit({ 'retry-after': '3600' }),
    'engine_busy',
    { retryAfter: 3_600 },
  ],
  ['fails without a delay', limit(), 'engine_busy'],
  [
    'fails after five delays',
    Array.from({ length: 6 }, () => limit({ 'retry-after-ms': '1' })),
    'engine_busy',
    { retryAfter: 1 },
  ],
  ['stops waiting when aborted', limit({ 'retry-after': '50' }), 'abort on request'],
])

const names = { code: key, type: `x-${key}`, param: key, message: echo }
const { apiKey, model, url } = environmentSettings
const configurationErrors: [name: string, responder: Responder, logs: string][] = [
  ['reports a rejected key', respondError(401, { code: 'invalid_api_key', message: echo }), apiKey],
  ['does not log a code that contains the key', respondError(401, names, { 'x-request-id': key }), apiKey],
  ['reports a key without permission', respondError(403, { message: echo }), model],
  ['reports an unknown model with status 404', respondError(404, { code: 'model_not_found' }), model],
  ['reports an unknown model with status 400', respondError(400, { code: 'model_not_found' }), model],
  ['reports a wrong address', respondBytes('<h1>404</h1>', 'text/html', 404), url],
  ['does not follow redirects', respondRedirect('/v1/images/generations', 308), 'final address'],
]

testScenarios(
  'configuration error, whose setting is logged,',
  configurationErrors.map(([name, responder, logs]) => [
    name,
    responder,
    'engine_misconfigured',
    { logs: new RegExp(logs) },
  ]),
)

const now = Date.parse('2026-11-05T12:00:00Z')

test.each([
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': 'Thu, 05 Nov 2026 12:00:20 GMT' }, 20_000],
  [{ 'retry-after': 'Thu, 05 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'tomorrow' }, undefined],
  [{}, undefined],
])('parses the delay of %o as %s ms', (headers, milliseconds) => {
  expect(parseRetryAfter(headers, now)).toBe(milliseconds)
})
