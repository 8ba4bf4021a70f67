import type { Schema } from './schemas.ts'
import type { RestFailure } from './failures.ts'

/** A request and its answer, shown in the description under one name, and really made in a test. */
export interface Example {
  readonly name: string
  readonly summary: string
  /** Of the query and the headers, by their names. */
  readonly parameters?: Readonly<Record<string, string | number>>
  readonly body?: object
  readonly status: number
  /** Of a success only its form is promised; of a failure, every word. */
  readonly answer: (origin: string) => object
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header'
  /** What its schema says, where nothing else is said. */
  readonly description?: string
  readonly schema: Schema
}

/** One call of the REST door, as its description shows it. */
export interface Operation {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly isPublic: boolean
  readonly parameters: readonly Parameter[]
  /** What the body holds; null where there is none. */
  readonly body: Schema | null
  readonly success: {
    readonly status: number
    readonly description: string
    readonly schema: Schema
    readonly headers?: object
  }
  readonly failures: readonly RestFailure[]
  readonly examples: readonly Example[]
}
