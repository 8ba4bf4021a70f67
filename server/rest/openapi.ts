import { z } from 'zod'
import { errors, type ErrorCode } from '../../shared/errors.ts'
import type { ProcedureMeta } from '../procedures/public-root.ts'
import { appRouter } from '../trpc/router.ts'
import source from './openapi.json' with { type: 'json' }
import { failureResponse, imageResponse, listResponse, shareResponse } from './v1.ts'

/** Origin of the URLs in `openapi.json`. Its first example of a parameter is the one that Swagger UI and others fill in. */
const exampleOrigin = 'https://gallery.example.com'

/**
 * Describes the REST API in OpenAPI 3.1: `openapi.json`, completed by the schemas that validate input and the table of errors.
 *
 * @param origin of the site; null if the request has no valid host
 * @see https://spec.openapis.org/oas/v3.1.0
 * @see CONTRIBUTING.md for adding a field
 */
export function openApiDocument(origin: string | null, siteName: string) {
  const located = JSON.stringify(source).replaceAll(exampleOrigin, () => origin ?? exampleOrigin)
  const document = JSON.parse(located, (_, value: unknown) => completed(value)) as typeof source
  return {
    ...document,
    info: { title: `${siteName}: REST API`, ...document.info },
    servers: [{ url: `${origin ?? ''}/api/v1`, description: siteName }],
  }
}

const responses = {
  list: listResponse,
  share: shareResponse,
  image: imageResponse,
  failure: failureResponse,
} as const

/** Object of `openapi.json` that stands for what the code knows. Its other fields are added. */
interface Placeholder {
  /** Procedure of an input schema. */
  readonly $input?: string
  /** Property of the input that is meant. */
  readonly $property?: string
  /** Property of the input that the endpoint does not take. */
  readonly $without?: readonly string[]
  readonly $response?: keyof typeof responses
  /** Procedure whose scopes of API keys are meant, each of which is enough. */
  readonly $scopes?: string
  readonly $failures?: readonly ErrorCode[]
  readonly [field: string]: unknown
}

function completed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { $input, $property, $without, $response, $scopes, $failures, ...fields } = value as Placeholder
  if ($input !== undefined) return { ...inputOf($input, $property, $without), ...fields }
  if ($response !== undefined) return jsonSchema(responses[$response])
  // Scopes are the names of roles here. @see https://spec.openapis.org/oas/v3.1.0#security-requirement-object
  if ($scopes !== undefined) return definitionOf($scopes).meta?.scopes?.map((scope) => ({ bearer: [scope] }))
  if ($failures !== undefined) return failureOf($failures, fields)
  if ('in' in fields)
    return { ...fields, required: false, description: (fields['schema'] as JsonSchema).description }
  return value
}

function failureOf(codes: readonly ErrorCode[], fields: object) {
  const known = codes.map((code) => errors[code])
  return {
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, ...fields } },
    description: known.map(({ message }) => message).join(' '),
    ...(known.some(({ status }) => status === 429 || status === 503) && { headers: retryAfter }),
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

function definitionOf(procedure: string): ProcedureDefinition {
  // The record is flat, by path, though its type nests routers.
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: ProcedureDefinition }>
  const found = procedures[procedure]
  if (!found) throw new Error(`There is no procedure ${procedure}.`)
  return found._def
}

/** Returns the schema of a procedure's input without some properties, or of one property. */
function inputOf(procedure: string, property?: string, without: readonly string[] = []): JsonSchema {
  const [input] = definitionOf(procedure).inputs
  if (!input) throw new Error(`The procedure ${procedure} has no input.`)
  const schema = jsonSchema(input)
  if (property !== undefined) return schema.properties?.[property] ?? {}
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !without.includes(name))
  return { ...schema, properties: Object.fromEntries(properties) }
}

function jsonSchema(type: z.ZodType): JsonSchema {
  // OpenAPI 3.1 declares the dialect once for all schemas.
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input' }) as JsonSchema
  return schema
}
