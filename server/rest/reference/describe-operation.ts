import { meaningsByStatus } from './failures.ts'
import type { Example, Operation, Parameter } from './operation.ts'

/** One call in the words of OpenAPI; a request's example and its answer's have the same name. */
export function describeOperation(operation: Operation, origin: string): object {
  const { operationId, summary, description, isPublic, parameters, body, examples } = operation
  return {
    operationId,
    summary,
    description,
    tags: ['Gallery'],
    ...(isPublic && { security: [] }),
    parameters: parameters.map((parameter) => describeParameter(parameter, examples)),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: body,
            ...named(
              examples.filter((example) => example.body),
              (example) => example.body,
            ),
          },
        },
      },
    }),
    responses: describeAnswers(operation, origin),
  }
}

function describeParameter(parameter: Parameter, examples: readonly Example[]): object {
  const { name, in: place, schema, description = schema.description } = parameter
  const valueOf = (example: Example) => example.parameters?.[name]
  const own = examples.filter((example) => valueOf(example) !== undefined)
  return { name, in: place, description, required: false, schema, ...named(own, valueOf) }
}

function describeAnswers({ success, failures, examples }: Operation, origin: string): Record<number, object> {
  const { status, schema, ...about } = success
  const answer = (of: number, form: object) => ({
    content: {
      'application/json': {
        schema: form,
        ...named(
          examples.filter((example) => example.status === of),
          (example) => example.answer(origin),
        ),
      },
    },
  })
  const failure = { $ref: '#/components/schemas/Failure' }
  return {
    [status]: { ...about, ...answer(status, schema) },
    ...Object.fromEntries(
      [...meaningsByStatus(failures)].map(([of, description]) => [
        of,
        { description, ...(mayPass.has(of) && { headers: retryAfter }), ...answer(of, failure) },
      ]),
    ),
  }
}

/** Statuses of failures that may say when to try again. */
const mayPass = new Set([429, 503])

const retryAfter = {
  'Retry-After': {
    description: 'Seconds after which trying again makes sense.',
    schema: { type: 'integer' },
  },
}

function named(examples: readonly Example[], valueOf: (example: Example) => unknown): object {
  if (examples.length === 0) return {}
  return {
    examples: Object.fromEntries(
      examples.map((example) => [example.name, { summary: example.summary, value: valueOf(example) }]),
    ),
  }
}
