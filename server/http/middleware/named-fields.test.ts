import { describe, expect, test } from 'vitest'
import { messages } from '../../../shared/errors.ts'
import { transports, forEachTransport } from '../../../test/support/transports.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'

const token = 'a-token-of-enough-letters'
const server = shareTestServer({ env: { API_TOKEN: token } })
const bearer = { bearer: token }
const photo = 'data:image/png;base64,AAAA'

describe('both transports name the invalid parameter of a list in the same message', () => {
  test.each(
    forEachTransport([
      { query: { limit: 'abc' }, error: 'The limit must be a whole number from 1 to 1,000.' },
      { query: { limit: 0 }, error: 'The limit must be a whole number from 1 to 1,000.' },
      { query: { limit: 1_001 }, error: 'The limit must be a whole number from 1 to 1,000.' },
      { query: { limit: 2.5 }, error: 'The limit must be a whole number from 1 to 1,000.' },
      { query: { cursor: 'yesterday' }, error: 'The cursor is not one that this server gave out.' },
      { query: { cursor: 'x'.repeat(101) }, error: 'The cursor is not one that this server gave out.' },
      { query: { search: 'x'.repeat(501) }, error: 'A search term may have at most 500 characters.' },
    ]),
  )('$transport.name $query', async ({ transport, query, error }) => {
    expect(await transport.list(server(), query)).toMatchObject({ status: 400, error })
  })
})

describe('both transports name the issue of a prompt in the same message', () => {
  test.each(
    forEachTransport([
      ...[5, null, true, {}, [], ['A lotus'], '', ' \n '].map((prompt) => ({
        prompt,
        error: messages.promptMissing as string,
      })),
      { prompt: 'x'.repeat(4_001), error: 'A prompt may have at most 4,000 characters.' },
    ]),
  )('$transport.name $prompt', async ({ transport, prompt, error }) => {
    expect(await transport.generate(server(), { prompt }, bearer)).toMatchObject({ status: 400, error })
  })

  test.each(transports)('$name: an invalid request key', async (transport) => {
    const response = await transport.generate(server(), { prompt: 'A lotus' }, bearer, 'my key')
    const error = 'The request key must have 1 to 200 printable ASCII characters.'
    expect(response).toMatchObject({ status: 400, error })
  })
})

describe('both transports name the invalid field of a post in the same message', () => {
  const post = { name: 'Asha', prompt: 'A lotus', photo }
  test.each(
    forEachTransport<{ body: unknown; error: string }>([
      { body: { ...post, name: 5 }, error: '`name` must be a string.' },
      { body: { ...post, name: null }, error: '`name` must be a string.' },
      { body: { ...post, name: 'x'.repeat(81) }, error: 'A name may have at most 80 characters.' },
      { body: { ...post, prompt: 5 }, error: messages.shareIncomplete },
      { body: { ...post, prompt: undefined }, error: messages.shareIncomplete },
      { body: { ...post, photo: undefined }, error: messages.shareIncomplete },
      { body: { ...post, photo: 5 }, error: '`photo` must be a data URL.' },
      { body: { ...post, photo: ['x'] }, error: '`photo` must be a data URL.' },
      { body: { ...post, photo: undefined, imageId: 5 }, error: '`imageId` must be a string.' },
      { body: { ...post, photo: undefined, imageId: 'a b' }, error: '`imageId` is not valid.' },
      { body: { ...post, imageId: 'abc' }, error: 'Pass either `imageId` or `photo`.' },
      { body: 5, error: messages.shareIncomplete },
      { body: [post], error: messages.shareIncomplete },
      { body: '{"name":', error: 'The request is not readable JSON.' },
      { body: '', error: 'The request is not readable JSON.' },
    ]),
  )('$transport.name $body', async ({ transport, body, error }) => {
    expect(await transport.share(server(), body, bearer)).toMatchObject({ status: 400, error })
  })
})

describe('responds 404 in the shape of the transport', () => {
  test.each([
    ['GET', '/trpc/posts.paint'],
    ['POST', '/trpc/posts.paint'],
    ['GET', '/trpc/paint'],
    ['GET', '/trpc/posts'],
    ['GET', '/trpc/posts.list.more'],
    ['GET', '/trpc/constructor'],
    ['GET', '/trpc/%ff'],
  ])('%s %s', async (method, address) => {
    const json = { headers: { 'content-type': 'application/json' }, body: '{}' }
    const response = await server().request(address, { method, ...(method === 'POST' && json) })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      error: {
        message: 'Not found.',
        data: { code: 'NOT_FOUND', httpStatus: 404, reason: 'not_found' },
      },
    })
  })

  test.each([
    ['GET', '/api/v1/paint'],
    ['POST', '/api/v1/post/paint'],
    ['DELETE', '/api/v1/post'],
    ['GET', '/api/v1/imgGenerate'],
    ['GET', '/api/v1/%ff'],
    ['GET', '/api/v2/post'],
  ])('%s %s', async (method, address) => {
    const response = await server().request(address, { method })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ success: false, error: 'Not found.' })
  })

  test('one call of a batch fails on its own', async () => {
    const response = await server().request('/trpc/posts.paint,posts.list?batch=1&input={}')
    expect(response.status).toBe(207)
    expect(await response.json()).toMatchObject([{ error: { data: { httpStatus: 404 } } }, { result: {} }])
  })
})
