import * as fc from 'fast-check'
import { anyText } from '../support/texts.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { brokenJson, hostileJson, type Field } from './hostile-json.ts'

/** Content of a request, without its sender and delivery. */
export type Question = Pick<FuzzRequest, 'method' | 'target' | 'headers' | 'body'>

/** A JSON body in UTF-8. */
export const json = (text: string): FuzzRequest['body'] => ({ text, encoding: 'utf8' })

/** Encodes a text for a URL. */
export const encode = (text: string) => encodeURIComponent(text.toWellFormed())

/** Known and unknown methods. */
export const methods = fc.constantFrom(
  'GET',
  'GET',
  'POST',
  'POST',
  'HEAD',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
)

/** Mostly `application/json`. */
export const contentType = fc.oneof(
  { weight: 14, arbitrary: fc.constant('application/json') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-16',
      'application/jsonx',
      'text/plain',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'image/jpeg',
      '',
      '\xff/\xfe',
    ),
  },
)

/** Mostly the given body. */
export const body: (text: fc.Arbitrary<string>) => fc.Arbitrary<FuzzRequest['body']> = (text) =>
  fc.oneof(
    { weight: 14, arbitrary: text.map(json) },
    { weight: 2, arbitrary: hostileJson.map(json) },
    { weight: 2, arbitrary: brokenJson.map((broken) => ({ text: broken, encoding: 'latin1' as const })) },
    { weight: 1, arbitrary: fc.constant(null) },
  )

/** JSON of texts. */
export const quoted = (...texts: string[]) => fc.constantFrom(...texts).map((text) => JSON.stringify(text))
/** JSON of any text but an empty one. */
export const someText = anyText.map((text) => JSON.stringify(text || 'A lotus'))

/** A field that may not be missing. */
export const required = (value: fc.Arbitrary<string>): Field => ({ value, isOptional: false })
