import * as fc from 'fast-check'
import { z } from 'zod'
import { appRouter } from '../../server/trpc/router.ts'
import { anyText } from '../support/texts.ts'
import { hostileJson, jsonObject, type Field } from './hostile-json.ts'

/** A procedure with inputs derived from its schema. */
export interface ProcedureUnderTest {
  readonly path: string
  readonly type: 'query' | 'mutation' | 'subscription'
  /** JSON of inputs, most of them valid. */
  readonly input: fc.Arbitrary<string>
}

interface Definition {
  readonly type: ProcedureUnderTest['type']
  readonly inputs: readonly z.ZodType[]
}

/** Every procedure of the router, so that new ones are included. */
export function proceduresUnderTest(): ProcedureUnderTest[] {
  // The record is flat, by path, though its type nests routers.
  const procedures = appRouter._def.procedures as unknown as Record<string, { readonly _def: Definition }>
  return Object.entries(procedures).map(([path, { _def: definition }]) => ({
    path,
    type: definition.type,
    input: inputOf(definition.inputs),
  }))
}

function inputOf(inputs: readonly z.ZodType[]): fc.Arbitrary<string> {
  const schemas = inputs.map(
    (schema) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema,
  )
  const wellFormed = jsonObject(Object.assign({}, ...schemas.map(fieldsOf)) as Record<string, Field>)
  return fc.oneof({ weight: 12, arbitrary: wellFormed }, { weight: 1, arbitrary: hostileJson })
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
}

function fieldsOf({ properties = {}, required = [] }: Schema): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { value: valueOf(name, schema), isOptional: !required.includes(name) },
    ]),
  )
}

const quoted = (text: string) => JSON.stringify(text)

/** Typical values of known fields. */
const knownFields: Readonly<Record<string, fc.Arbitrary<string>>> = {
  id: fc.constantFrom('«postId»', '«imageId»', '«apiKeyId»', '«webhookId»', 'nothing').map(quoted),
  imageId: fc.constantFrom('«imageId»', '«imageId»', '«postId»').map(quoted),
  ids: fc.constantFrom('["«imageId»"]', '["«imageId»","«postId»"]', '[]'),
  postId: fc.constantFrom('«postId»', '«postId»', '«imageId»').map(quoted),
  // Of the discard service, at which nothing listens.
  url: fc
    .constantFrom('http://127.0.0.1:65535/', 'http://127.0.0.1:9/', 'http://10.0.0.1/', 'nothing')
    .map(quoted),
  events: fc.constantFrom('["post.created"]', '["image.failed","post.hidden"]', '[]'),
  photo: fc
    .constantFrom(
      '«photo»',
      '«new photo»',
      '«new photo»',
      '«png»',
      '«cut photo»',
      '«cut png»',
      '«large photo»',
      '«svg»',
      '«bomb»',
    )
    .map(quoted),
  cursor: fc.constantFrom('«postCursor»', '«imageCursor»').map(quoted),
  limit: fc
    .oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
      { weight: 1, arbitrary: fc.double() },
    )
    .map(String),
  engine: fc.constantFrom('rangoli', 'rangoli', 'nothing').map(quoted),
  model: fc.constantFrom('rangoli-1', 'nothing').map(quoted),
  size: fc.constantFrom('1024x1024', '512x768', '1x1', '0x0', 'large').map(quoted),
  count: fc.integer({ min: 0, max: 5 }).map(String),
  seed: fc.constantFrom(0, 1, 4_294_967_295, 4_294_967_296, -1, 0.5).map(String),
  referenceImageIds: fc.constantFrom('[]', '["«imageId»"]', '["«postId»"]'),
  maskImageId: fc.constantFrom('«imageId»', 'nothing').map(quoted),
  strength: fc.constantFrom(0, 0.5, 1, 2).map(String),
  remixOf: fc.constantFrom('«postId»', '«imageId»').map(quoted),
  requestKey: fc.constantFrom('«key»', '«key»', 'key', 'a key', 'ключ').map(quoted),
}

function valueOf(name: string, schema: Schema): fc.Arbitrary<string> {
  const known = knownFields[name]
  if (known) return known
  if (schema.enum) return fc.constantFrom(...schema.enum).map((value) => JSON.stringify(value))
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueOf(name, one)))
  switch (schema.type) {
    case 'boolean':
      return fc.boolean().map(String)
    case 'number':
    case 'integer':
      return fc.integer().map(String)
    case 'null':
      return fc.constant('null')
    case 'object':
      return jsonObject(fieldsOf(schema))
    default:
      return fc
        .oneof(
          { weight: 8, arbitrary: anyText },
          { weight: 1, arbitrary: fc.constantFrom('«letters»', '«couples»', '«syllables»') },
        )
        .map((text) => quoted(text || 'A lotus'))
  }
}
