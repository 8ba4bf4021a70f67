import { z } from 'zod'
import { appRouter } from '../../trpc/router.ts'

/** A JSON Schema, as far as this code looks into it. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly description?: string
  readonly [keyword: string]: unknown
}

/** What an answer looks like; it may hold more one day. */
export function schemaOf(answer: z.ZodType): Schema {
  return jsonSchema(answer)
}

/** What a procedure takes, by its path: the very schema by which it refuses. */
export function inputOf(path: string): Schema {
  // Flat, by path, whatever the types say of nested routers.
  const procedures = appRouter._def.procedures as unknown as Record<string, { readonly _def: Definition }>
  const [input] = procedures[path]?._def.inputs ?? []
  if (!input) throw new Error(`The procedure ${path} takes nothing.`)
  return jsonSchema(input)
}

/** One of the things that a procedure takes. */
export function fieldOf(input: Schema, name: string): Schema {
  const field = input.properties?.[name]
  if (!field) throw new Error(`The input has no ${name}.`)
  return field
}

interface Definition {
  readonly inputs: readonly z.ZodType[]
}

function jsonSchema(type: z.ZodType): Schema {
  // OpenAPI 3.1 says for all schemas which dialect they are in.
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input' }) as Schema
  return schema
}
