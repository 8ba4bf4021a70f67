import { beforeAll, describe, expect, test } from 'vitest'
import { version } from '../../shared/version.ts'
import { createScriptedEngine, eventually } from '../../test/support/generations.ts'
import { createKey } from '../../test/support/openai-api/client.ts'
import { connectMcp, type protocols } from '../../test/support/mcp.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { createRateLimiter, createWriteLimits } from '../rate-limits/rate-limiter.ts'

const { engine, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine, env: { DAILY_IMAGE_LIMIT: '100' } })
let asha: TestUser
let key: string
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  key = await createKey(asha)
})

const accept = 'application/json, text/event-stream'

/** Posts a message, or a batch. */
function post(message: unknown, headers: Record<string, string> = {}, own = server()) {
  return own.postJson('/mcp', message, undefined, { accept, ...headers })
}

/** Where a program finds out how its user signs in. */
const metadata = () =>
  `resource_metadata="${server().url}/.well-known/oauth-protected-resource/mcp", scope="read generate share"`

const bearer = () => ({ authorization: `Bearer ${key}` })

const callOf = (name: string, input: object = {}, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
})

const initialize = (protocolVersion = '2025-06-18') => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'tests', version: '1' } },
})

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

/** Parses the messages of a response, which may be a stream. */
async function messagesOf(
  response: Response,
): Promise<{ id?: unknown; result?: unknown; error?: unknown }[]> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return [JSON.parse(text)]
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
}

describe('a request without a key', () => {
  const tools = ['generate_image', 'share_image', 'my_images']

  test.each(tools)('gets 401 for %s', async (name) => {
    for (const message of [callOf(name), [callOf('search_posts', { query: '' }), callOf(name, {}, 2)]]) {
      const response = await post(message)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe(`Bearer ${metadata()}`)
      expect(await response.json()).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32001, message: expect.stringContaining('needs an API key') },
      })
    }
  })

  test('reads as a visitor, whatever cookie it has', async () => {
    const image = asha.generate('Only for Asha')
    await (await waitForJob('Only for Asha')).finish()
    const { id } = await asha.trpc.posts.create.mutate({
      name: 'Asha',
      prompt: 'Only for Asha',
      imageId: (await image).id,
      visibility: 'private',
    })
    const headers = server().headersOf({ cookie: asha.cookie })
    const [answer] = await messagesOf(await post(callOf('get_post', { id }), headers))
    expect(answer?.result).toMatchObject({ isError: true })
  })
})

test.each(['nothing', 'rangoli_0123456789', ''])('the bad key %j gets 401 for everything', async (token) => {
  for (const message of [initialize(), listTools, callOf('search_posts', { query: '' }), 'not JSON']) {
    const response = await post(message, { authorization: `Bearer ${token}` })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${metadata()}`)
    const error = { data: { reason: 'not_signed_in' } }
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error })
  }
})

describe('the endpoint', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks version %s',
    async (protocolVersion) => {
      const [answer] = await messagesOf(await post(initialize(protocolVersion)))
      expect(answer?.result).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'rangoli', title: 'Rangoli', version },
        capabilities: { tools: { listChanged: false } },
      })
    },
  )

  test('opens no sessions, and rejects every method but POST', async () => {
    const response = await post(initialize())
    expect(response.headers.get('mcp-session-id')).toBeNull()
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const rejected = await server().request('/mcp', { method, headers: { accept: 'text/event-stream' } })
      expect([method, rejected.status, rejected.headers.get('allow')]).toEqual([method, 405, 'POST'])
    }
  })

  test('answers the batch of an older client', async () => {
    const batch = [listTools, callOf('search_posts', { query: '' }, 2)]
    const answers = await messagesOf(await post(batch, bearer()))
    expect(new Set(answers.flat().map(({ id }) => id))).toEqual(new Set([1, 2]))
    expect(await (await post(Array(101).fill(0))).text()).toContain('A batch has at most 100 messages.')
  })

  test.each([
    ['broken JSON', '{"jsonrpc"', 400],
    ['no message', '{}', 400],
    ['no body', '', 400],
    ['null', 'null', 400],
    ['a nested batch', [[callOf('generate_image')]], 400],
    ['an unknown tool', callOf('__proto__'), 200],
    ['a tool without a name', { ...callOf(''), params: { name: ['generate_image'] } }, 200],
  ])('rejects %s', async (_, body, status) => {
    const response = await post(body)
    expect(response.status).toBe(status)
    for (const { error, result } of await messagesOf(response))
      expect(error ?? result).toMatchObject(error ? { message: expect.any(String) } : { isError: true })
  })

  test('rejects other content types, and bodies of more than a megabyte', async () => {
    expect((await post(listTools, { 'content-type': 'text/plain' })).status).toBe(415)
    const response = await post(callOf('search_posts', { query: 'x'.repeat(1_100_000) }))
    expect(response.status).toBe(413)
    const error = { message: 'The request is too large.' }
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error })
  })
})

describe('a request of a page', () => {
  const elsewhere = { origin: 'https://evil.example' }

  test('needs a key if the page is of another site', async () => {
    const rejected = await post(listTools, elsewhere)
    expect(rejected.status).toBe(403)
    expect(await rejected.json()).toMatchObject({
      error: { message: 'Pages of other sites need an API key, sent as a bearer token.' },
    })
    const response = await post(listTools, { ...elsewhere, ...bearer() })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect((await post(listTools, { origin: server().url })).status).toBe(200)
  })

  test('needs a key if the host of the page was rebound to this server', async () => {
    const host = { 'x-forwarded-host': 'evil.example', origin: 'http://evil.example' }
    expect((await post(listTools, host)).status).toBe(403)
    expect((await post(listTools, { origin: 'null' })).status).toBe(403)
  })
})

test('limits calls that write, and no others', async () => {
  const own = await startTestServer({
    writeLimits: { ...createWriteLimits(), perNetwork: createRateLimiter(2, 60) },
  })
  const user = await own.signUp()
  const headers = { authorization: `Bearer ${await createKey(user)}` }
  for (const message of Array.from({ length: 4 }, () => [listTools, callOf('my_images')]).flat())
    expect((await post(message, headers, own)).status).toBe(200)
  expect((await post(callOf('share_image', { imageId: 'x' }), headers, own)).status).toBe(200)
  const limited = await post(callOf('generate_image', { prompt: 'A lotus' }), headers, own)
  expect(limited.status).toBe(429)
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await limited.json()).toMatchObject({ jsonrpc: '2.0', error: { data: { reason: 'rate_limited' } } })
})

test('limits the images of posts, also in one batch', async () => {
  const own = await startTestServer({
    writeLimits: { ...createWriteLimits(), encodings: createRateLimiter(2, 60) },
  })
  const user = await own.signUp()
  const { id } = await user.share('A lotus')
  const batch = [1, 2, 3].map((number) => callOf('get_post', { id }, number))
  const answers = (await messagesOf(await post(batch, {}, own))).flat()
  const limited = answers.filter(({ result }) => (result as { isError?: boolean }).isError)
  expect(limited).toHaveLength(1)
  expect(limited[0]?.result).toMatchObject({
    content: [{ text: expect.stringMatching(/^Too many requests\./) }],
  })
})

describe('a client that disconnects during a generation', () => {
  /** Starts a generation whose response the client stops reading. */
  async function leave(prompt: string, mode: (typeof protocols)[number]['mode']) {
    const controller = new AbortController()
    const client = await connectMcp(server().url, { key, mode })
    const result = client.callTool(
      { name: 'generate_image', arguments: { prompt } },
      { signal: controller.signal },
    )
    result.catch(() => {})
    const job = await waitForJob(prompt)
    controller.abort()
    await client.close()
    return job
  }
  const stateOf = async (prompt: string) =>
    (await asha.trpc.images.list.query()).images.find((image) => image.prompt === prompt)?.state

  test('cancels it since version 2026-07-28', async () => {
    const job = await leave('Left in 2026', { pin: '2026-07-28' })
    await eventually(() => job.signal.aborted).toBe(true)
    await eventually(() => stateOf('Left in 2026')).toBe('canceled')
  })

  test('leaves it to be found later before that version', async () => {
    const job = await leave('Left in 2025', 'legacy')
    await eventually(() => server().services.generations.running).toBe(1)
    expect(job.signal.aborted).toBe(false)
    await job.finish()
    await eventually(() => stateOf('Left in 2025')).toBe('succeeded')
  })
})

test('streams comments while a generation runs, without progress if none was asked for', async () => {
  const response = await post(callOf('generate_image', { prompt: 'Streamed' }), bearer())
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  const job = await waitForJob('Streamed')
  job.progress(0.5)
  await job.finish()
  const messages = await messagesOf(response)
  expect(messages).toMatchObject([{ id: 1, result: { content: [{ type: 'text' }, { type: 'image' }] } }])
})
