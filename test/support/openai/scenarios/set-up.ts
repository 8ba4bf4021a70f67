import { respondBytes, respondError, respondRedirect } from '../provider-responses.ts'
import { key, prompt, type Scenario } from '../scenario.ts'

const echo = `Incorrect API key provided: ${key} for ${prompt}`

/** Errors that come of a wrong set-up. */
export const setUpIssues: Scenario[] = [
  {
    name: '401',
    answers: [respondError(401, { code: 'invalid_api_key', message: echo })],
    fails: 'engine_misconfigured',
    logs: /check OPENAI_API_KEY/,
  },
  {
    name: 'a code that repeats the key',
    answers: [
      respondError(401, { code: key, type: `x-${key}`, param: key, message: echo }, { 'x-request-id': key }),
    ],
    fails: 'engine_misconfigured',
  },
  {
    name: '403',
    answers: [respondError(403, { message: echo })],
    fails: 'engine_misconfigured',
    logs: /OPENAI_IMAGE_MODEL/,
  },
  {
    name: '404 model_not_found',
    answers: [respondError(404, { code: 'model_not_found' })],
    fails: 'engine_misconfigured',
    logs: /no such model.*"?/,
  },
  {
    name: '404 of a wrong address',
    answers: [respondBytes('<h1>404</h1>', 'text/html', 404)],
    fails: 'engine_misconfigured',
    logs: /OPENAI_BASE_URL/,
  },
  {
    name: '400 model_not_found',
    answers: [respondError(400, { code: 'model_not_found', param: 'model' })],
    fails: 'engine_misconfigured',
  },
  {
    name: 'a redirect, which is not followed',
    answers: [respondRedirect('/v1/images/generations', 308)],
    fails: 'engine_misconfigured',
    logs: /final address/,
  },
]
