import * as fc from 'fast-check'
import type { ProcedureUnderTest } from './procedure-inputs.ts'
import { body, contentType, encode, json, type Question } from './question.ts'

const oneIn = (n: number) => fc.nat(n - 1).map((number) => number === 0)

/** Calls of procedures, alone and in batches, with mostly valid inputs. */
export function procedureCall(procedures: readonly ProcedureUnderTest[]): fc.Arbitrary<Question> {
  const alone = fc.constantFrom(...procedures).chain(({ path, type, input }) =>
    fc
      .record({
        text: input,
        streams: fc.boolean(),
        batched: fc.boolean(),
        otherMethod: oneIn(20),
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
            ...(choice.streams ? [['trpc-accept', 'application/jsonl'] as const] : []),
            ...(asGet ? [] : [['Content-Type', choice.type] as const]),
          ],
          body: asGet ? null : choice.body && { ...choice.body, text: wrap(choice.body.text) },
        }
      }),
  )
  const ofKind = (type: 'query' | 'mutation') => procedures.filter((procedure) => procedure.type === type)
  const batchOf = (type: 'query' | 'mutation', count: number) =>
    fc
      .record({
        calls: fc.array(
          fc.constantFrom(...ofKind(type)).chain(({ path, input }) => fc.tuple(fc.constant(path), input)),
          {
            minLength: 1,
            maxLength: count,
          },
        ),
        shift: fc.constantFrom(0, 0, 0, 1, -1, 1e9),
        streams: fc.boolean(),
      })
      .map(({ calls, shift, streams }): Question => {
        const input = `{${calls.map(([, text], index) => `"${index + shift}":${text}`).join()}}`
        const paths = calls.map(([path]) => path).join()
        return {
          method: type === 'query' ? 'GET' : 'POST',
          target: `/trpc/${paths}?batch=1${type === 'query' ? `&input=${encode(input)}` : ''}`,
          headers: [
            ...(streams ? [['trpc-accept', 'application/jsonl'] as const] : []),
            ['Content-Type', 'application/json'],
          ],
          body: type === 'query' ? null : json(input),
        }
      })
  const huge = fc.constantFrom(...procedures).map(({ path, type }): Question => ({
    method: type === 'query' ? 'GET' : 'POST',
    target: `/trpc/${Array<string>(1_000).fill(path).join()}?batch=1`,
    headers: [['Content-Type', 'application/json']],
    body: type === 'query' ? null : json('{}'),
  }))
  const heavy = fc
    .record({
      call: fc.constantFrom('posts.list', 'images.list', 'account.export'),
      count: fc.integer({ min: 2, max: 100 }),
      limit: fc.constantFrom(24, 250, 1_000),
      search: fc.constantFrom('', 'lotus', 'o', 'nowhere at all'),
      streams: fc.boolean(),
    })
    .map(({ call, count, limit, search, streams }): Question => {
      const one = { limit, search, id: '«imageId»' }
      const inputs = Object.fromEntries(Array.from({ length: count }, (_, index) => [index, one]))
      return {
        method: 'GET',
        target: `/trpc/${Array<string>(count).fill(call).join()}?batch=1&input=${encode(JSON.stringify(inputs))}`,
        headers: streams ? [['trpc-accept', 'application/jsonl']] : [],
        body: null,
      }
    })
  return fc.oneof(
    { weight: 30, arbitrary: alone },
    { weight: 3, arbitrary: batchOf('query', 25) },
    { weight: 3, arbitrary: batchOf('mutation', 8) },
    { weight: 1, arbitrary: huge },
    { weight: 1, arbitrary: heavy },
  )
}
