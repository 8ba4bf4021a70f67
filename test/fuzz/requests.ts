import * as fc from 'fast-check'
import type { z } from 'zod'
import { appRouter } from '../../server/trpc/router.ts'
import { anyText } from '../support/texts.ts'
import { deliveries, type Delivery, type FuzzRequest } from './exchange.ts'
import { brokenJson, hostileJson, inputOf, schemaOf, weighted, word, type Schema } from './inputs.ts'

/** Paths below /api/auth that better-auth has, whether they are open here or not. */
const accountPath = word(
  '/sign-up/email /sign-in/email /sign-out /get-session /update-user /change-password /revoke-sessions ' +
    '/delete-user /sign-in-methods /disconnect-provider /sign-in/social ' +
    '/passkey/generate-register-options /passkey/verify-registration /callback/oidc /ok ' +
    '/passkey/generate-authenticate-options /passkey/verify-authentication /list-sessions /error',
)

/** Content of a request, without its sender and delivery. */
type Question = Pick<FuzzRequest, 'method' | 'target' | 'headers' | 'body'>
type Header = readonly [name: string, value: string]

/** A route of the app. */
export interface RouteUnderTest {
  readonly method: string
  readonly path: string
}

/** A tool of the MCP server. */
export interface ToolUnderTest {
  readonly name: string
  readonly inputSchema: Schema
}

const json = (text: string): FuzzRequest['body'] => ({ text, encoding: 'utf8' })
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const jsonLines: readonly Header[] = [['trpc-accept', 'application/jsonl']]

/** JSON of the inputs of a batch of equal calls. */
const batchOf = (count: number, input: string) =>
  `{${Array.from({ length: count }, (_, index) => `"${index}":${input}`).join()}}`

const methods = word('GET GET POST POST HEAD PUT DELETE PATCH OPTIONS TRACE PROPFIND QUERY')

const contentType = weighted(
  [14, fc.constant('application/json')],
  [
    3,
    fc.constantFrom(
      'application/json; charset=utf-16',
      'text/plain',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'image/jpeg',
      '',
      '\xff/\xfe',
    ),
  ],
)

/** Mostly the given body. */
const body = (text: fc.Arbitrary<string>): fc.Arbitrary<FuzzRequest['body']> =>
  weighted<FuzzRequest['body']>(
    [14, text.map(json)],
    [2, hostileJson.map(json)],
    [2, brokenJson.map((broken) => ({ text: broken, encoding: 'latin1' }))],
    [1, fc.constant(null)],
  )

interface Procedure {
  readonly path: string
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly input: fc.Arbitrary<string>
}

/** Every procedure of the router, so that new ones are included, with inputs derived from its schemas. */
function proceduresUnderTest(): Procedure[] {
  type Definition = { readonly type: Procedure['type']; readonly inputs: readonly z.ZodType[] }
  // The record is flat, by path, though its type nests routers.
  const procedures = appRouter._def.procedures as unknown as Record<string, { readonly _def: Definition }>
  return Object.entries(procedures).map(([path, { _def: definition }]) => {
    const schemas = definition.inputs.map(schemaOf)
    const properties = Object.assign({}, ...schemas.map((one) => one.properties)) as Record<string, Schema>
    const required = schemas.flatMap((one) => one.required ?? [])
    const input = inputOf({ properties, required }).map((text) => text.replaceAll('«id»', idFor(path)))
    return { path, type: definition.type, input }
  })
}

/** The placeholder of an id that a procedure knows. */
function idFor(path: string): string {
  if (/collection/i.test(path)) return '«collectionId»'
  if (path.includes('apiKeys')) return '«apiKeyId»'
  if (path.includes('webhooks')) return '«webhookId»'
  return path.startsWith('images') ? '«imageId»' : '«postId»'
}

/** Paths of all procedures. */
export const procedurePaths = () => proceduresUnderTest().map(({ path }) => path)

/** Calls of procedures, alone and in batches, with mostly valid inputs. */
function procedureCall(): fc.Arbitrary<Question> {
  const procedures = proceduresUnderTest()
  const alone = fc.constantFrom(...procedures).chain(({ path, type, input }) =>
    fc
      .record({
        text: input,
        streams: fc.boolean(),
        batched: fc.boolean(),
        otherMethod: fc.nat(19).map((number) => number === 0),
        type: contentType,
        body: body(input),
      })
      .map((choice): Question => {
        const isBatch = choice.streams || choice.batched
        const asGet = (type !== 'mutation') !== choice.otherMethod
        const wrap = (text: string) => (isBatch ? `{"0":${text}}` : text)
        const query = asGet ? `&input=${encode(wrap(choice.text))}` : ''
        return {
          method: asGet ? 'GET' : 'POST',
          target: `/trpc/${path}?${isBatch ? 'batch=1' : ''}${query}`,
          headers: [
            ...(choice.streams ? jsonLines : []),
            ...(asGet ? [] : [['Content-Type', choice.type] as const]),
          ],
          body: asGet ? null : choice.body && { ...choice.body, text: wrap(choice.body.text) },
        }
      }),
  )
  const batch = (type: Procedure['type'], paths: string[], input: string, streams = false): Question => ({
    method: type === 'mutation' ? 'POST' : 'GET',
    target: `/trpc/${paths.join()}?batch=1${type === 'mutation' ? '' : `&input=${encode(input)}`}`,
    headers: [...(streams ? jsonLines : []), ['Content-Type', 'application/json']],
    body: type === 'mutation' ? json(input) : null,
  })
  const several = (type: Procedure['type'], maxLength: number) => {
    const call = fc
      .constantFrom(...procedures.filter((procedure) => procedure.type === type))
      .chain(({ path, input }) => fc.tuple(fc.constant(path), input))
    const shift = fc.constantFrom(0, 0, 0, 1, -1, 1e9)
    return fc
      .tuple(fc.array(call, { minLength: 1, maxLength }), shift, fc.boolean())
      .map(([calls, first, streams]) => {
        const input = `{${calls.map(([, text], index) => `"${index + first}":${text}`).join()}}`
        return batch(
          type,
          calls.map(([path]) => path),
          input,
          streams,
        )
      })
  }
  const huge = fc
    .constantFrom(...procedures)
    .map(({ path, type }) => batch(type, Array<string>(1_000).fill(path), '{}'))
  const heavy = fc
    .record({
      call: word('posts.list images.list account.export'),
      count: fc.integer({ min: 2, max: 100 }),
      limit: fc.constantFrom(24, 250, 1_000),
      search: fc.constantFrom('', 'lotus', 'o', 'nowhere at all'),
      streams: fc.boolean(),
    })
    .map(({ call, count, limit, search, streams }) => {
      const one = JSON.stringify({ limit, search, id: '«imageId»' })
      return batch('query', Array<string>(count).fill(call), batchOf(count, one), streams)
    })
  return weighted([30, alone], [3, several('query', 25)], [3, several('mutation', 8)], [1, huge], [1, heavy])
}

/** Messages to the MCP endpoint, alone and in batches, mostly valid. */
function mcpCall(tools: readonly ToolUnderTest[]): fc.Arbitrary<Question> {
  const call = (method: fc.Arbitrary<string>, params: fc.Arbitrary<string>) =>
    fc
      .record({ id: weighted([8, word('1 2')], [1, hostileJson]), method, params })
      .map(
        (choice) =>
          `{"jsonrpc":"2.0","id":${choice.id},"method":"${choice.method}","params":${choice.params}}`,
      )
  const toolCall = fc.constantFrom(...tools).chain(({ name, inputSchema }) =>
    call(
      fc.constant('tools/call'),
      fc
        .tuple(inputOf(inputSchema), fc.constantFrom('', ',"_meta":{"progressToken":1}', ',"_meta":7'))
        .map(([input, meta]) => `{"name":"${name}","arguments":${input}${meta}}`),
    ),
  )
  const client = '{"name":"fuzz","version":"1"}'
  // Each request has such metadata since version 2026-07-28.
  const envelope = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":${client},"io.modelcontextprotocol/clientCapabilities":{}}`
  const otherCall = call(
    word(
      'initialize tools/list tools/call server/discover subscriptions/listen resources/list ping logging/setLevel __proto__',
    ),
    weighted(
      [3, fc.constantFrom('{}', `{"_meta":${envelope}}`)],
      [2, fc.constant(`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":${client}}`)],
      [2, hostileJson],
    ),
  )
  const message = weighted([3, toolCall], [2, otherCall])
  const messages = fc.array(message, { maxLength: 4 }).map((batch) => `[${batch.join()}]`)
  return fc
    .record({
      type: contentType,
      sent: body(weighted([5, message], [1, messages])),
      version: fc.constantFrom<Header[]>([], [], [['Mcp-Protocol-Version', '2026-07-28']]),
    })
    .map(({ type, sent, version }) => ({
      method: 'POST',
      target: '/mcp',
      headers: [['Content-Type', type], ['Accept', 'application/json, text/event-stream'], ...version],
      body: sent,
    }))
}

const segment = fc.oneof(
  word('«folder» original.jpg 320.webp 640.webp .. %2e%2e ..%2f..%2fdata %00 main.js .env __proto__ «page»'),
  fc.constant(''),
  anyText.map(encode),
  fc.string({
    unit: fc.constantFrom(...Array.from('abc%2fF0.\\;:@&=+$,~!*()[]|^`{}<>"\x80\xff')),
    maxLength: 20,
  }),
)

const queryString = fc
  .array(
    fc.tuple(
      fc.constantFrom('', ...'search limit before q posts batch input __proto__ search[]'.split(' ')),
      fc.oneof(
        anyText.map(encode),
        word('«postCursor» «imageCursor» «postId» 24 1 1000 0 -1 1e3 99999999999 NaN % %ff «page»'),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => (pairs.length > 0 ? `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}` : ''))

const text = { type: 'string' }
const requiredTexts = (...names: string[]) =>
  inputOf({ properties: Object.fromEntries(names.map((name) => [name, text])), required: names })
const restInput = requiredTexts('name', 'prompt', 'photo')

/** A call of any route of the app, with values for its wildcards. */
const routeCall = (routes: readonly RouteUnderTest[]) =>
  fc.constantFrom(...routes).chain(({ method, path }) =>
    fc
      .record({
        filling: fc.array(segment, { minLength: 4, maxLength: 4 }),
        used: weighted([6, method === 'ALL' ? methods : fc.constant(method)], [1, methods]),
        query: queryString,
        type: contentType,
        sent: body(restInput),
      })
      .map(({ filling, used, query, type, sent }): Question => {
        let next = 0
        const target = path.replaceAll(/:\w+(?:\{[^}]*\})?|\*/g, () => filling[next++] ?? '') + query
        if (['GET', 'HEAD'].includes(used)) return { method: used, target, headers: [], body: null }
        return { method: used, target, headers: [['Content-Type', type]], body: sent }
      }),
  )

/** A call of an account route; those that hash passwords are rare, as hashing is slow by design. */
const accountCall = fc
  .record({
    path: accountPath,
    method: word('GET POST POST POST PUT'),
    query: queryString,
    type: contentType,
    sent: body(
      fc.oneof(
        requiredTexts('email', 'password', 'newPassword', 'currentPassword', 'name'),
        requiredTexts('name'),
      ),
    ),
  })
  .map(({ path, method, query, type, sent }): Question => ({
    method,
    target: `/api/auth${path}${query}`,
    headers: [['Content-Type', type]],
    body: method === 'GET' ? null : sent,
  }))

const pages =
  '/ / /create-post /account /reports /nowhere /robots.txt /feed.xml /oembed /sitemap.xml /sitemaps/0.xml /rules /favicon.svg /assets/main.js'

/** A request of a page or file as browsers send it. */
const pageCall = fc
  .tuple(word(pages), queryString)
  .map(([path, query]): Question => ({ method: 'GET', target: path + query, headers: [], body: null }))

/** A URL of no route. */
const oddCall = fc
  .tuple(
    methods,
    fc.oneof(
      fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
      word(
        '* // //evil.example/ http://evil.example/ x /\\evil.example /?% /api /trpc /uploads /metrics /healthz',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 30 }).map((path) => `/${path}`),
    ),
  )
  .map(([method, target]): Question => ({ method, target, headers: [], body: null }))

/** Unexpected or malformed values of headers, by name. */
const strangeValues: Readonly<Record<string, readonly string[]>> = {
  Origin: ['null', 'https://evil.example', '\xff'],
  Cookie: ['=;=;;a=%', 'better-auth.session_token=%ff.%00', `a=${'x'.repeat(6_000)}`],
  Authorization: [
    'Bearer',
    'Bearer a.b.c',
    'Bearer rgl_',
    `Bearer rgl_${'0'.repeat(49)}`,
    `Bearer rgl_${'x'.repeat(6_000)}`,
    'Basic eDp5',
    'Bearer \xff\xfe',
  ],
  Range: ['bytes=0-', 'bytes=5-1,9-,-99999999999'],
  'If-None-Match': ['*', '"\xff'],
  'If-Modified-Since': ['never'],
  'If-Match': ['"x"'],
  Expect: ['100-continue', 'miracles'],
  Upgrade: ['websocket'],
  Accept: ['text/event-stream', 'application/jsonl'],
  'Accept-Encoding': ['gzip, br;q=0, *;q=x'],
  'Content-Encoding': ['gzip'],
  'Idempotency-Key': ['key', 'x'.repeat(300), '\xff'],
  'X-Forwarded-For': [',,,x', '127.0.0.1'],
  'X-Forwarded-Proto': ['javascript'],
  'X-Forwarded-Host': ['a b', 'evil.example'],
  'X-Http-Method-Override': ['DELETE'],
  'X-Rangoli-Client-Address': ['127.0.0.1'],
  Host: ['evil.example', 'a b', ''],
  'Last-Event-Id': ['x'],
  'trpc-accept': ['application/jsonl'],
  'Sec-Fetch-Site': ['cross-site'],
  constructor: ['x'],
  'X-Large': ['x'.repeat(20_000)],
  'Bad Name': ['x'],
  'X-Split': ['a\r\nX-Injected: b'],
}

const strangeHeader: fc.Arbitrary<Header> = fc.oneof(
  fc.constantFrom(
    ...Object.entries(strangeValues).flatMap(([name, values]) =>
      values.map((value) => [name, value] as const),
    ),
  ),
  fc.tuple(
    fc.stringMatching(/^[A-Za-z-]{1,20}$/),
    fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((unit) => String.fromCharCode(unit)),
      maxLength: 60,
    }),
  ),
)

const delivery = weighted<Delivery>(
  [20, fc.constant('whole')],
  [3, fc.constantFrom('chunks', 'pieces')],
  [5, fc.constantFrom(...(Object.keys(deliveries) as Delivery[]))],
)

/** Requests to these routes and tools and to every procedure, mostly valid in part. */
export function anyRequest(
  routes: readonly RouteUnderTest[],
  tools: readonly ToolUnderTest[],
): fc.Arbitrary<FuzzRequest> {
  const question = weighted(
    [16, procedureCall()],
    [6, routeCall(routes)],
    [2, mcpCall(tools)],
    [1, accountCall],
    [3, pageCall],
    [2, oddCall],
  )
  return fc
    .record({
      question,
      who: fc.constantFrom<FuzzRequest['who']>('anonymous', 'Asha', 'Asha', 'Ravi', 'the token'),
      version: weighted([40, fc.constant('HTTP/1.1')], [1, word('HTTP/1.0 HTTP/0.9 HTTP/3.7 x')]),
      strange: weighted(
        [5, fc.constant<Header[]>([])],
        [3, fc.array(strangeHeader, { minLength: 1, maxLength: 3 })],
      ),
      delivery,
    })
    .map(({ question: { method, target, headers, body: sent }, who, version, strange, delivery: way }) => {
      return { who, version, method, target, headers: [...headers, ...strange], body: sent, delivery: way }
    })
}

/** A hundred lists of maximum length. */
const heaviestBatch = `/trpc/${Array<string>(100).fill('posts.list').join()}?batch=1&input=${encode(
  batchOf(100, '{"limit":1000}'),
)}`

const plain = { version: 'HTTP/1.1', method: 'GET', headers: [], body: null, delivery: 'whole' } as const

/** Requests that found a defect once. */
export const foundRequests: readonly FuzzRequest[] = [
  // tRPC rejected an unreadable request with JSON of type text/plain.
  {
    ...plain,
    who: 'anonymous',
    method: 'POST',
    target: '/trpc/posts.report?batch=1',
    headers: [['Content-Type', 'text/plain']],
    body: json('{}'),
  },
  // It blocked the server until all calls were done.
  { ...plain, who: 'anonymous', target: heaviestBatch },
  { ...plain, who: 'anonymous', target: heaviestBatch, delivery: 'aborted before the response' },
  { ...plain, who: 'anonymous', target: heaviestBatch, delivery: 'aborted in the response' },
  // A subscription kept its connection open for seconds after the client had asked to close it.
  { ...plain, who: 'Asha', target: `/trpc/images.watch?input=${encode('{"ids":[]}')}` },
]
