import { messages } from '../../../shared/errors.ts'
import { shareAnswer } from '../answers.ts'
import { failed, pleaseSignIn, post } from './example-answers.ts'
import type { Operation } from './operation.ts'
import { inputOf, schemaOf } from './schemas.ts'

/** Four marigold pixels, as a PNG. */
const marigold =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAMAAABFaP0WAAAAA1BMVEX1ngtsZfL9AAAAC0lEQVQImWNgAAEAAAYAAeaH/n8AAAAASUVORK5CYII='

const body = { name: 'Asha', prompt: 'A marigold', photo: marigold }

export const createPost: Operation = {
  method: 'post',
  path: '/post',
  operationId: 'createPost',
  summary: 'Shares a picture to the gallery',
  description: [
    'A photo that is, byte for byte, one of the caller’s own pictures is that picture.',
    'Any other is an upload: it is made a JPEG, loses its metadata, is labelled as uploaded, and is counted.',
  ].join(' '),
  isPublic: false,
  parameters: [],
  body: inputOf('posts.create'),
  success: { status: 201, description: 'The post.', schema: schemaOf(shareAnswer) },
  failures: [
    'bad_input',
    'not_signed_in',
    'forbidden',
    'not_found',
    'too_large',
    'upload_limit',
    'rate_limited',
    'busy',
    'storage_unavailable',
    'sign_in_unavailable',
    'storage_full',
    'internal',
  ],
  examples: [
    { name: 'marigold', summary: 'A photo', body, status: 201, answer: post },
    {
      name: 'nothing',
      summary: 'Nothing to share',
      body: { name: 'Asha', prompt: 'A marigold' },
      status: 400,
      answer: failed(messages.shareIncomplete),
    },
    { name: 'noToken', summary: 'Nobody', body, status: 401, answer: pleaseSignIn },
    {
      name: 'noImage',
      summary: 'An image that is not there',
      body: { name: 'Asha', prompt: 'A marigold', imageId: 'nowhere' },
      status: 404,
      answer: failed('There is no such image.'),
    },
    {
      name: 'uploadLimit',
      summary: 'After the last photo of the day',
      body,
      status: 429,
      answer: failed('You have reached your daily upload limit.'),
    },
  ],
}
