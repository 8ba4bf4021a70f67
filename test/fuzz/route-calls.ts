import * as fc from 'fast-check'
import { openPaths } from '../../server/auth/account-calls.ts'
import { anyText } from '../support/texts.ts'
import { jsonObject } from './hostile-json.ts'
import { body, contentType, encode, methods, quoted, required, someText, type Question } from './question.ts'

/** A route of the app. */
export interface RouteUnderTest {
  readonly method: string
  readonly path: string
}

const segment = fc.oneof(
  fc.constantFrom(
    '«folder»',
    'original.jpg',
    '320.webp',
    '640.webp',
    '..',
    '%2e%2e',
    '..%2f..%2fdata',
    '%00',
    'x',
    '',
    'main.js',
    '.env',
    '__proto__',
    '«page»',
  ),
  anyText.map(encode),
  fc.string({
    unit: fc.constantFrom(...Array.from('abc%2fF0.\\;:@&=+$,~!*()[]|^`{}<>"\x80\xff')),
    maxLength: 20,
  }),
)

const restInput = jsonObject({
  name: required(someText),
  prompt: required(someText),
  photo: required(quoted('«photo»', '«photo»', '«png»', '«cut photo»', '«large photo»', '«bomb»', '«svg»')),
})

const queryValue = fc.oneof(
  anyText.map(encode),
  fc.constantFrom(
    '«postCursor»',
    '«imageCursor»',
    '«postId»',
    '24',
    '1',
    '1000',
    '0',
    '-1',
    '1e3',
    '99999999999',
    'NaN',
    '%',
    '%ff',
    '«page»',
  ),
)
const queryString = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'search',
        'limit',
        'before',
        'q',
        'posts',
        'batch',
        'input',
        '__proto__',
        'search[]',
        '',
      ),
      queryValue,
    ),
    {
      maxLength: 4,
    },
  )
  .map((pairs) => (pairs.length > 0 ? `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}` : ''))

/** Calls of every route of the app, with values for its wildcards. */
export function routeCall(routes: readonly RouteUnderTest[]): fc.Arbitrary<Question> {
  return fc.constantFrom(...routes).chain(({ method, path }) =>
    fc
      .record({
        filling: fc.array(segment, { minLength: 4, maxLength: 4 }),
        method: fc.oneof(
          { weight: 6, arbitrary: method === 'ALL' ? methods : fc.constant(method) },
          { weight: 1, arbitrary: methods },
        ),
        query: queryString,
        type: contentType,
        body: body(restInput),
      })
      .map((choice): Question => {
        let next = 0
        const target = path.replaceAll(/:\w+(?:\{[^}]*\})?|\*/g, () => choice.filling[next++] ?? '')
        const hasBody = !['GET', 'HEAD'].includes(choice.method)
        return {
          method: choice.method,
          target: target + choice.query,
          headers: hasBody ? [['Content-Type', choice.type]] : [],
          body: hasBody ? choice.body : null,
        }
      }),
  )
}

/** Calls of account routes; those that hash passwords are rare, as hashing is slow by design. */
export function accountCall(): fc.Arbitrary<Question> {
  const details = jsonObject({
    email: required(quoted('«email»', 'user@example.org', 'user', '', `${'x'.repeat(5_000)}@example.org`)),
    password: required(quoted('a quiet lotus at dawn', 'short', '«megabyte»')),
    newPassword: required(quoted('another quiet lotus', '')),
    currentPassword: required(quoted('no quiet lotus')),
    name: required(someText),
  })
  const call = fc.record({
    path: fc.constantFrom(...openPaths, '/sign-in/social', '/list-sessions', '/callback/x', '/error', '/ok'),
    method: fc.constantFrom('GET', 'POST', 'POST', 'POST', 'PUT'),
    query: queryString,
    type: contentType,
    body: body(fc.oneof(details, jsonObject({ name: required(someText) }))),
  })
  return call.map(({ path, method, query, type, body: sent }): Question => ({
    method,
    target: `/api/auth${path}${query}`,
    headers: [['Content-Type', type]],
    body: method === 'GET' ? null : sent,
  }))
}

/** Requests of pages and files as browsers send them. */
export const pageCall: fc.Arbitrary<Question> = fc
  .tuple(
    fc.constantFrom(
      '/',
      '/',
      '/create-post',
      '/account',
      '/reports',
      '/nowhere',
      '/robots.txt',
      '/feed.xml',
      '/oembed',
      '/sitemap.xml',
      '/sitemaps/0.xml',
      '/rules',
      '/favicon.svg',
      '/assets/main.js',
    ),
    queryString,
  )
  .map(([path, query]) => ({ method: 'GET', target: path + query, headers: [], body: null }))

/** URLs of no route. */
export const oddCall: fc.Arbitrary<Question> = fc
  .tuple(
    methods,
    fc.oneof(
      fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
      fc.constantFrom(
        '*',
        '//',
        '//evil.example/',
        'http://evil.example/',
        'x',
        '/\\evil.example',
        '/?%',
        '/api',
        '/trpc',
        '/uploads',
        '/metrics',
        '/healthz',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 30 }).map((text) => `/${text}`),
    ),
  )
  .map(([method, target]) => ({ method, target, headers: [], body: null }))
