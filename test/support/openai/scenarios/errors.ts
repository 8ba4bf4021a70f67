import { respondBytes, respondError, respondJson } from '../provider-responses.ts'
import { key, prompt, type Scenario } from '../scenario.ts'

const echo = `Incorrect API key provided: ${key} for ${prompt}`

const moderation: Scenario[] = [
  {
    name: 'moderation_blocked',
    answers: [
      respondError(400, {
        code: 'moderation_blocked',
        message: echo,
        moderation_details: { moderation_stage: 'input' },
      }),
    ],
    fails: 'prompt_blocked',
    logs: /"moderationStage":"input"/,
  },
  {
    name: 'content_policy_violation',
    answers: [respondError(400, { code: 'content_policy_violation', type: 'invalid_request_error' })],
    fails: 'prompt_blocked',
  },
  {
    name: "Azure's contentFilter",
    answers: [respondError(400, { code: 'contentFilter', message: 'size is invalid' })],
    fails: 'prompt_blocked',
  },
  {
    name: "LiteLLM's words",
    answers: [respondError(400, { code: '400', message: 'litellm.ContentPolicyViolationError: blocked' })],
    fails: 'prompt_blocked',
  },
  {
    name: "xAI's words",
    answers: [
      respondJson(
        {
          code: 'Client specified an invalid argument',
          error: 'Generated image rejected by content moderation.',
        },
        { status: 400 },
      ),
    ],
    fails: 'prompt_blocked',
  },
]

const credit: Scenario[] = [
  {
    name: 'insufficient_quota',
    answers: [
      respondError(
        429,
        { code: 'insufficient_quota', type: 'insufficient_quota' },
        { 'retry-after-ms': '1' },
      ),
    ],
    fails: 'engine_out_of_credit',
    logs: /out of credit: add credit/,
  },
  {
    name: 'billing_hard_limit_reached',
    answers: [respondError(400, { code: 'billing_hard_limit_reached', type: 'billing_limit_user_error' })],
    fails: 'engine_out_of_credit',
  },
  {
    name: 'words without a code',
    answers: [
      respondError(429, { code: '429', message: 'You exceeded your current quota' }, { 'retry-after': '0' }),
    ],
    fails: 'engine_out_of_credit',
  },
  {
    name: '402',
    answers: [respondError(402, { message: 'Payment required' })],
    fails: 'engine_out_of_credit',
  },
]

const others: Scenario[] = [
  {
    name: '500',
    answers: [respondError(500, { type: 'server_error', message: echo })],
    fails: 'engine_failed',
    logs: /req_double/,
  },
  {
    name: '500 as a plain string',
    answers: [respondJson({ error: echo }, { status: 500 })],
    fails: 'engine_failed',
  },
  {
    name: '503 with retry-after',
    answers: [respondError(503, { message: 'overloaded' }, { 'retry-after': '0' })],
    fails: 'engine_failed',
  },
  {
    name: '502 as a page',
    answers: [respondBytes(`<h1>Bad gateway ${key}</h1>`, 'text/html', 502)],
    fails: 'engine_failed',
  },
  { name: '504', answers: [respondBytes('', 'text/plain', 504)], fails: 'engine_timeout' },
  {
    name: '400 of another kind',
    answers: [respondError(400, { code: 'string_above_max_length', param: 'prompt', message: prompt })],
    fails: 'engine_failed',
  },
  {
    name: 'an error that tells to try again',
    answers: [respondError(500, {}, { 'x-should-retry': 'true' })],
    fails: 'engine_failed',
  },
  {
    name: 'an error without end',
    answers: [respondBytes(' '.repeat(2_000_000), 'text/html', 500)],
    fails: 'engine_failed',
  },
]

/** Errors that operators cannot fix, and those of billing. */
export const errors: Scenario[] = [...moderation, ...credit, ...others]
