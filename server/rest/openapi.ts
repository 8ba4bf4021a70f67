import { z } from 'zod'
import type { ApiKeyScope } from '../../shared/account.ts'
import { errors, type ErrorCode } from '../../shared/errors.ts'
import { pageSizeMax } from '../../shared/limits.ts'
import type { ProcedureMeta } from '../procedures/public-root.ts'
import { appRouter } from '../trpc/router.ts'
import exampleData from './examples.json' with { type: 'json' }
import { failureResponse, imageResponse, listResponse, shareResponse } from './v1.ts'

/** A request with its response. Tests send each one and compare the shape of a success, and an error literally. */
interface Example {
  /** Without it, the message of the error. */
  readonly summary?: string
  /** Query parameters and headers. */
  readonly parameters?: Readonly<Record<string, string | number>>
  readonly body?: object
  readonly status: number
  readonly response: { readonly success: boolean; readonly error?: string }
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** Scopes of API keys, each of which is enough; null if the call needs no credentials. */
  readonly scopes: readonly ApiKeyScope[] | null
  readonly parameters?: readonly { name: string; in: string; schema: JsonSchema }[]
  readonly body?: JsonSchema
  readonly success: {
    readonly status: number
    readonly description: string
    readonly response: z.ZodType
    readonly headers?: object
  }
  readonly failures: readonly ErrorCode[]
  readonly examples: Readonly<Record<string, Example>>
}

const readErrors = ['bad_input', 'busy', 'storage_unavailable', 'internal'] as const
const writeErrors = [
  ...readErrors,
  'not_signed_in',
  'forbidden',
  'too_large',
  'rate_limited',
  'sign_in_unavailable',
  'storage_full',
] as const

const engineErrors = Object.keys(errors).filter((code) => code.startsWith('engine_')) as ErrorCode[]

/** Origin of the URLs in `examples.json`. Its first example of a parameter is the one that Swagger UI and others fill in. */
const exampleOrigin = 'https://gallery.example.com'

/**
 * Returns the endpoints by path and method, derived from the schemas that validate input.
 *
 * @param origin of the URLs in examples
 * @see CONTRIBUTING.md for adding a field
 */
function operations(origin: string): Record<string, Record<string, Operation>> {
  const located = JSON.stringify(exampleData).replaceAll(exampleOrigin, () => origin)
  const examples = JSON.parse(located) as Record<keyof typeof exampleData, Operation['examples']>

  const listPosts: Operation = {
    operationId: 'listPosts',
    summary: 'List posts',
    description: `Returns the newest ${pageSizeMax.toLocaleString('en')} at most, oldest first. If there are more, the header \`Link\` holds the URL of the posts before them.`,
    scopes: null,
    parameters: [
      { name: 'search', in: 'query', schema: inputOf('posts.list', 'search') },
      { name: 'limit', in: 'query', schema: { ...inputOf('posts.list', 'limit'), default: pageSizeMax } },
      {
        name: 'before',
        in: 'query',
        schema: { type: 'string', maxLength: 100, description: 'The opaque cursor of a `Link` header.' },
      },
    ],
    success: {
      status: 200,
      description: 'The matching posts.',
      response: listResponse,
      headers: {
        Link: { description: '`<URL>; rel="next"` if there are older posts.', schema: { type: 'string' } },
      },
    },
    failures: readErrors,
    examples: examples.listPosts,
  }

  const createPost: Operation = {
    operationId: 'createPost',
    summary: 'Share an image',
    description: [
      "A photo that is, byte for byte, one of the caller's own images shares that image.",
      'Any other is an upload: it is converted to JPEG without metadata, labelled as uploaded, and counted, also if it cannot be read.',
      'One upload per user is processed at a time; another waits up to 10 seconds.',
      'Sharing the same image and prompt again returns the post that exists, so the call can be repeated.',
      'Sharing an image that a moderator has hidden or deleted responds 403.',
    ].join(' '),
    scopes: scopesOf('posts.create'),
    body: inputOf('posts.create'),
    success: { status: 201, description: 'The post.', response: shareResponse },
    failures: [
      ...writeErrors,
      'not_found',
      'storage_limit',
      'upload_limit',
      'post_limit',
      'too_many_unfinished',
    ],
    examples: examples.createPost,
  }

  const generateImage: Operation = {
    operationId: 'generateImage',
    summary: 'Generate an image',
    description: [
      'Waits for the image, which may take minutes, and returns it.',
      'It is stored even if the client disconnects: a request with the same `Idempotency-Key` returns it.',
      'After a failure, the same key starts a new generation.',
      'Everything but the prompt is optional; `GET /trpc/engines.list` lists the engines with what each supports.',
      'An engine that always draws the same image for a prompt returns the one that exists, uncounted.',
      'Post it to `/post` to share it; until then only its owner sees it.',
    ].join(' '),
    scopes: scopesOf('images.generate'),
    parameters: [{ name: 'Idempotency-Key', in: 'header', schema: inputOf('images.generate', 'requestKey') }],
    body: without(inputOf('images.generate'), 'count'),
    success: { status: 200, description: 'The image.', response: imageResponse },
    failures: [
      ...writeErrors,
      'not_found',
      'prompt_blocked',
      'canceled',
      'daily_limit',
      'storage_limit',
      'site_limit',
      'queue_full',
      'interrupted',
      ...engineErrors,
    ],
    examples: examples.generateImage,
  }
  return { '/post': { get: listPosts, post: createPost }, '/imgGenerate': { post: generateImage } }
}

/**
 * Describes the REST API in OpenAPI 3.1.
 *
 * @param origin of the site; null if the request has no valid host
 * @see https://spec.openapis.org/oas/v3.1.0
 */
export function openApiDocument(origin: string | null, siteName: string) {
  const paths = mapValues(operations(origin ?? exampleOrigin), (methods) => mapValues(methods, describe))
  return {
    openapi: '3.1.0',
    info: {
      title: `${siteName}: REST API`,
      version: '1.0.0',
      description: [
        'Every failure has the form `{ "success": false, "error": "…" }`, with a sentence for users.',
        'Any origin may call with a bearer token; cookies count only for pages of this site.',
        'The tRPC API has everything here and more, with types and streams.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin ?? ''}/api/v1`, description: siteName }],
    security: [{ bearer: [] }],
    tags: [{ name: 'Gallery', description: 'Images and posts.' }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key from the account page, a session token of the sign-in service, or the service token of the site.',
        },
      },
      schemas: { Failure: jsonSchema(failureResponse) },
    },
  }
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  toResult: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, toResult(value)]))
}

function describe({ scopes, parameters = [], body, success, failures, examples, ...about }: Operation) {
  const json = (schema: object, shown: (example: Example) => unknown) => {
    const values = Object.entries(examples).flatMap(([name, example]) => {
      const value = shown(example)
      const summary = example.summary ?? example.response.error
      return value === undefined ? [] : [[name, { summary, value }] as const]
    })
    return { schema, ...(values.length > 0 && { examples: Object.fromEntries(values) }) }
  }
  const content = (schema: object, shown: (example: Example) => unknown) => ({
    content: { 'application/json': json(schema, shown) },
  })
  const responseOf = (status: number, schema: object) =>
    content(schema, (example) => (example.status === status ? example.response : undefined))
  const { status: ok, response, ...successAbout } = success
  const failureOf = (status: number) => ({
    ...responseOf(status, { $ref: '#/components/schemas/Failure' }),
    description: failures
      .filter((code) => errors[code].status === status)
      .map((code) => errors[code].message)
      .join(' '),
    ...((status === 429 || status === 503) && { headers: retryAfter }),
  })
  return {
    ...about,
    // Scopes are the names of roles here. @see https://spec.openapis.org/oas/v3.1.0#security-requirement-object
    security: scopes === null ? [] : scopes.map((scope) => ({ bearer: [scope] })),
    tags: ['Gallery'],
    parameters: parameters.map(({ schema, ...parameter }) => ({
      ...parameter,
      description: schema.description,
      required: false,
      ...json(schema, (example) => example.parameters?.[parameter.name]),
    })),
    ...(body && { requestBody: { required: true, ...content(body, (example) => example.body) } }),
    responses: {
      [ok]: { ...responseOf(ok, jsonSchema(response)), ...successAbout },
      ...Object.fromEntries(failures.map((code) => [errors[code].status, failureOf(errors[code].status)])),
    },
  }
}

const retryAfter = {
  'Retry-After': { description: 'Seconds until a retry makes sense.', schema: { type: 'integer' } },
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly description?: string
  readonly [keyword: string]: unknown
}

interface ProcedureDefinition {
  readonly inputs: readonly z.ZodType[]
  readonly meta?: ProcedureMeta
}

function definitionOf(procedure: string): ProcedureDefinition | undefined {
  // The record is flat, by path, though its type nests routers.
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: ProcedureDefinition }>
  return procedures[procedure]?._def
}

function scopesOf(procedure: string): readonly ApiKeyScope[] {
  const scopes = definitionOf(procedure)?.meta?.scopes
  if (!scopes) throw new Error(`The procedure ${procedure} has no scopes.`)
  return scopes
}

/** Returns the schema of a procedure's input, or of one of its properties. */
function inputOf(procedure: string, property?: string): JsonSchema {
  const input = definitionOf(procedure)?.inputs[0]
  if (!input) throw new Error(`The procedure ${procedure} has no input.`)
  const schema = jsonSchema(input)
  if (property === undefined) return schema
  const found = schema.properties?.[property]
  if (!found) throw new Error(`The input of ${procedure} has no ${property}.`)
  return found
}

/** Removes a property from a schema. */
function without(schema: JsonSchema, property: string): JsonSchema {
  const { [property]: _, ...properties } = schema.properties ?? {}
  return { ...schema, properties }
}

/** Returns the JSON Schema of what a type accepts. */
function jsonSchema(type: z.ZodType): JsonSchema {
  // OpenAPI 3.1 declares the dialect once for all schemas.
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input' }) as JsonSchema
  return schema
}
