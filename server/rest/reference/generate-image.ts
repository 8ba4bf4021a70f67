import { messages } from '../../../shared/errors.ts'
import { failureSentence } from '../../errors/failure-sentences.ts'
import { pictureAnswer } from '../answers.ts'
import { failed, picture, pleaseSignIn } from './example-answers.ts'
import type { Operation } from './operation.ts'
import { fieldOf, inputOf, schemaOf } from './schemas.ts'

const input = inputOf('images.generate')
const body = { prompt: 'A peacock in the monsoon' }

export const generateImage: Operation = {
  method: 'post',
  path: '/imgGenerate',
  operationId: 'generateImage',
  summary: 'Makes a picture of a prompt',
  description: [
    'Waits until the picture is there, which may take minutes, and answers it.',
    'It is kept even where nobody waits any more: asking again with the same `Idempotency-Key` answers it.',
    'Post it to `/post` to share it; until then only its owner sees it.',
  ].join(' '),
  isPublic: false,
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      schema: fieldOf(input, 'requestKey'),
    },
  ],
  body: input,
  success: { status: 200, description: 'The picture.', schema: schemaOf(pictureAnswer) },
  failures: [
    'bad_input',
    'prompt_blocked',
    'not_signed_in',
    'forbidden',
    'cancelled',
    'too_large',
    'daily_limit',
    'too_many_unfinished',
    'rate_limited',
    'engine_failed',
    'engine_misconfigured',
    'engine_out_of_credit',
    'engine_busy',
    'queue_full',
    'interrupted',
    'storage_unavailable',
    'sign_in_unavailable',
    'engine_timeout',
    'storage_full',
    'internal',
  ],
  examples: [
    { name: 'peacock', summary: 'A picture', body, status: 200, answer: picture },
    {
      name: 'once',
      summary: 'A picture that is made once, however often one asks',
      parameters: { 'Idempotency-Key': 'my-first-picture' },
      body,
      status: 200,
      answer: picture,
    },
    {
      name: 'noPrompt',
      summary: 'Nothing to make a picture of',
      body: { prompt: '' },
      status: 400,
      answer: failed(messages.promptMissing),
    },
    { name: 'noToken', summary: 'Nobody', body, status: 401, answer: pleaseSignIn },
    {
      name: 'dailyLimit',
      summary: 'After the last picture of the day',
      body,
      status: 429,
      answer: failed(messages.dailyLimit),
    },
    {
      name: 'engineFailed',
      summary: 'No picture came',
      body,
      status: 502,
      answer: failed(failureSentence('engine_failed')),
    },
    {
      name: 'engineBusy',
      summary: 'The image service is busy',
      body,
      status: 503,
      answer: failed(failureSentence('engine_busy')),
    },
    {
      name: 'engineTimeout',
      summary: 'It took too long',
      body,
      status: 504,
      answer: failed(failureSentence('engine_timeout')),
    },
  ],
}
