import { pageSizeMax } from '../../../shared/limits.ts'
import { listAnswer } from '../answers.ts'
import { failed, posts } from './example-answers.ts'
import type { Operation } from './operation.ts'
import { fieldOf, inputOf, schemaOf } from './schemas.ts'

const input = inputOf('posts.list')

export const listPosts: Operation = {
  method: 'get',
  path: '/post',
  operationId: 'listPosts',
  summary: 'The gallery',
  description: [
    `Answers the oldest first, and the newest ${pageSizeMax.toLocaleString('en')} at most.`,
    'Where there are more, the header `Link` holds the address of those before them.',
  ].join(' '),
  isPublic: true,
  parameters: [
    { name: 'search', in: 'query', schema: fieldOf(input, 'search') },
    { name: 'limit', in: 'query', schema: { ...fieldOf(input, 'limit'), default: pageSizeMax } },
    {
      name: 'before',
      in: 'query',
      description: 'The opaque cursor of a `Link` header, for the posts before those that came with it.',
      schema: { type: 'string', maxLength: 100 },
    },
  ],
  body: null,
  success: {
    status: 200,
    description: 'The posts that match.',
    schema: schemaOf(listAnswer),
    headers: {
      Link: {
        description: '`<ADDRESS>; rel="next"`, where there are posts before these.',
        schema: { type: 'string' },
      },
    },
  },
  failures: ['bad_input', 'storage_unavailable', 'internal'],
  examples: [
    { name: 'newest', summary: 'Everything', status: 200, answer: posts },
    {
      name: 'search',
      summary: 'The ten newest of a lotus',
      parameters: { search: 'lotus', limit: 10 },
      status: 200,
      answer: posts,
    },
    {
      name: 'badLimit',
      summary: 'A limit that is none',
      parameters: { limit: 0 },
      status: 400,
      answer: failed('The limit must be a whole number from 1 to 1,000.'),
    },
  ],
}
