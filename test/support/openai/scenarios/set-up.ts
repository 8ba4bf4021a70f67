import { answerBytes, answerError, answerRedirect } from '../provider-responses.ts'
import { key, prompt, type Scenario } from '../scenario.ts'

const echo = `Incorrect API key provided: ${key} for ${prompt}`

/** Errors that come of a wrong set-up. */
export const setUpFaults: Scenario[] = [
  {
    name: '401',
    answers: [answerError(401, { code: 'invalid_api_key', message: echo })],
    fails: 'engine_misconfigured',
    logs: /check OPENAI_API_KEY/,
  },
  {
    name: 'a code that repeats the key',
    answers: [
      answerError(401, { code: key, type: `x-${key}`, param: key, message: echo }, { 'x-request-id': key }),
    ],
    fails: 'engine_misconfigured',
  },
  {
    name: '403',
    answers: [answerError(403, { message: echo })],
    fails: 'engine_misconfigured',
    logs: /OPENAI_IMAGE_MODEL/,
  },
  {
    name: '404 model_not_found',
    answers: [answerError(404, { code: 'model_not_found' })],
    fails: 'engine_misconfigured',
    logs: /no such model.*"?/,
  },
  {
    name: '404 of a wrong address',
    answers: [answerBytes('<h1>404</h1>', 'text/html', 404)],
    fails: 'engine_misconfigured',
    logs: /OPENAI_BASE_URL/,
  },
  {
    name: '400 model_not_found',
    answers: [answerError(400, { code: 'model_not_found', param: 'model' })],
    fails: 'engine_misconfigured',
  },
  {
    name: 'a redirect, which is not followed',
    answers: [answerRedirect('/v1/images/generations', 308)],
    fails: 'engine_misconfigured',
    logs: /final address/,
  },
]
