import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import {
  allCapabilities,
  createFailingEngine,
  createInstantEngine,
  plainJpeg,
} from '../../test/support/engine.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'
import { restRoutes } from './v1.ts'
import { openApiDocument } from './openapi.ts'

const token = 'a-token-of-enough-letters'
const origin = 'https://pictures.example.org'

interface Examples {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Media {
  readonly content: { readonly 'application/json': Examples & { readonly schema: object } }
}
interface DescribedCall {
  readonly security?: readonly object[]
  readonly parameters: readonly (Examples & { readonly name: string; readonly in: string })[]
  readonly requestBody?: Media
  readonly responses: Readonly<Record<string, Media>>
}

const description = openApiDocument(origin, 'Rangoli')
const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, call]) => ({ path, method, call: call as unknown as DescribedCall })),
)

/** Every example: the parts of the request, and the response. */
const examples = calls.flatMap(({ path, method, call }) =>
  Object.entries(call.responses).flatMap(([status, { content }]) =>
    Object.entries(content['application/json'].examples ?? {}).map(([name, { value }]) => ({
      name,
      path,
      method,
      call,
      status: Number(status),
      schema: content['application/json'].schema,
      response: value,
    })),
  ),
)

type NamedExample = (typeof examples)[number]

test.each([origin, null])('is valid, with valid examples, for a site at %s', async (site) => {
  const source = JSON.stringify(openApiDocument(site, 'Rangoli'))
  const rules = {
    'no-invalid-parameter-examples': 'error',
    'no-invalid-media-type-examples': 'error',
  } as const
  const config = await createConfig({ extends: ['recommended'], rules })
  const problems = await lintFromString({ source, config })
  expect(problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer])).toEqual([])
})

test('describes exactly the routes of REST', () => {
  const routes = restRoutes(() => {
    throw new Error('No route is called here.')
  }).routes.map(({ method, path }) => `${method} ${path}`)
  expect(routes.length).toBeGreaterThan(2)
  expect(calls.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(routes.sort())
})

/** Servers of examples that need more than a gallery with one post and a token. */
const circumstances: Record<string, () => Promise<TestServer>> = {
  dailyLimit: () => startTestServer({ env: { API_TOKEN: token, DAILY_IMAGE_LIMIT: '0' } }),
  uploadLimit: () => startTestServer({ env: { API_TOKEN: token, DAILY_UPLOAD_LIMIT: '0' } }),
  postLimit: sharedOnce,
  landscape: () => {
    const engine = createInstantEngine({ capabilities: allCapabilities })
    return startTestServer({ engine, env: { API_TOKEN: token } })
  },
  engineFailed: () => failing('engine_failed'),
  engineBusy: () => failing('engine_busy'),
  engineTimeout: () => failing('engine_timeout'),
}

const usual = shareTestServer({ env: { API_TOKEN: token } })
beforeAll(() => fillGallery(usual(), numberedPosts(3, 'A lotus')))

/** A server whose user has reached the daily limit of one post. */
async function sharedOnce(): Promise<TestServer> {
  const server = await startTestServer({ env: { API_TOKEN: token, DAILY_POST_LIMIT: '1' } })
  const photo = dataUrl(await plainJpeg('the only post'))
  const post = { prompt: 'The only post', photo }
  const response = await server.postJson('/api/v1/post', post, { bearer: token })
  if (!response.ok) throw new Error(`The first post failed: ${response.status}`)
  return server
}

function failing(code: 'engine_failed' | 'engine_busy' | 'engine_timeout'): Promise<TestServer> {
  const engine = createFailingEngine(new AppError(code))
  return startTestServer({ engine, env: { API_TOKEN: token } })
}

function requestOf({ name, path, method, call, status }: NamedExample): [string, RequestInit] {
  const given = call.parameters.flatMap((parameter) => {
    const example = parameter.examples?.[name]
    return example ? [{ ...parameter, value: String(example.value) }] : []
  })
  const query = new URLSearchParams(
    given.flatMap(({ in: place, name: key, value }) => (place === 'query' ? [[key, value]] : [])),
  )
  const headers = new Headers(
    given.flatMap(({ in: place, name: key, value }) => (place === 'header' ? [[key, value]] : [])),
  )
  const isPublic = call.security?.length === 0
  if (!isPublic && status !== 401) headers.set('authorization', `Bearer ${token}`)
  const body = call.requestBody?.content['application/json'].examples?.[name]?.value
  if (body !== undefined) headers.set('content-type', 'application/json')
  const init = {
    method: method.toUpperCase(),
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  return [`/api/v1${path}?${query}`, init]
}

/** Resolves a reference to a schema. */
function resolved(schema: object) {
  const { Failure } = description.components.schemas
  const refers = '$ref' in schema && schema.$ref === '#/components/schemas/Failure'
  return (refers ? Failure : schema) as Parameters<typeof z.fromJSONSchema>[0]
}

describe('the examples', () => {
  test.each(examples)('match the response: $method $path $name: $status', async (example) => {
    const server = await (circumstances[example.name] ?? usual)()
    const response = await server.request(...requestOf(example))
    expect(response.status).toBe(example.status)
    const received: unknown = await response.json()
    const schema = z.fromJSONSchema(resolved(example.schema))
    expect(schema.safeParse(received)).toMatchObject({ success: true })
    expect(schema.safeParse(example.response)).toMatchObject({ success: true })
    expect(schema.safeParse({ success: 'perhaps' })).toMatchObject({ success: false })
    if (example.status >= 400) expect(received).toEqual(example.response)
    else expect(Object.keys(received as object)).toEqual(Object.keys(example.response as object))
  })
})
