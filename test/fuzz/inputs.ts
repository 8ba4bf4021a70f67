import * as fc from 'fast-check'
import { z } from 'zod'
import { anyCharacter, anyText } from '../support/texts.ts'

/** Texts that are too long to print, by their placeholders. */
export const floods: Readonly<Record<string, () => string>> = {
  '«megabyte»': () => 'x'.repeat(1_000_000),
  '«page»': () => 'x'.repeat(5_000),
  // Maximum length of a prompt in characters, in code units and in bytes.
  '«letters»': () => 'a'.repeat(4_000),
  '«couples»': () => '👩🏽‍❤️‍💋‍👩🏿'.repeat(1_066),
  '«syllables»': () => 'क्षि'.repeat(4_000),
  '«tower»': () => `a${'\u0301\u0323'.repeat(200_000)}`,
  '«deep list»': () => '['.repeat(100_000) + ']'.repeat(100_000),
  '«unclosed»': () => '{"a":['.repeat(50_000),
  '«many keys»': () => `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join()}}`,
}

/** One of several arbitraries, each as often as its weight says. */
export const weighted = <Value>(...choices: [weight: number, arbitrary: fc.Arbitrary<Value>][]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** One of several words that are separated by spaces. */
export const word = (words: string) => fc.constantFrom(...words.split(' '))

/** JSON of one of several texts. */
const quoted = (...texts: string[]) => fc.constantFrom(...texts).map((text) => JSON.stringify(text))

/** JSON of any text but an empty one. */
const someText = weighted<string>([8, anyText], [1, word('«letters» «couples» «syllables»')]).map((text) =>
  JSON.stringify(text || 'A lotus'),
)

const strangeText = fc.oneof(
  anyText,
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  word('«megabyte» «page» «tower» «letters» «couples» «syllables» ../../etc/passwd'),
  fc.constantFrom('', ' ', '\0', "'; DROP TABLE posts; --"),
)

/** JSON of any value, also in forms that no serializer writes. */
export const hostileJson: fc.Arbitrary<string> = weighted(
  [5, strangeText.map((text) => JSON.stringify(text))],
  [3, fc.json({ maxDepth: 3 })],
  [2, word('null true 0 -0 -1 1e999 1e-999 9007199254740993 0.1 [] {} [[[]]] "\\ud800" "\\u0000"')],
  [
    2,
    fc.constantFrom(
      '{"length":1e9}',
      '{"__proto__":{"polluted":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"toString":null,"valueOf":null,"then":1}',
      '{"toJSON":"x","then":{}}',
    ),
  ],
  [1, fc.constantFrom('«deep list»', '«many keys»')],
)

/** Texts that are not JSON. */
export const brokenJson = fc.constantFrom(
  '',
  '{"prompt":',
  "{'prompt':'x'}",
  '{"prompt":"x",}',
  'undefined',
  '\ufeff{}',
  '\0',
  '«unclosed»',
  'prompt=lotus&name=x',
  '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nlotus\r\n--x--\r\n',
  '\u001f\u008b\b\0\0\0\0\0\0\u0003',
  '"\xff\xfe\xc0\x80"',
)

/** The parts of a JSON schema that inputs are made of. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
}

/** The JSON schema of what a zod schema accepts. */
export const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

/** JSON of inputs for a schema, most of them valid. */
export const inputOf = (schema: Schema) => weighted([12, jsonObject(schema)], [1, hostileJson])

/** JSON of an object with the fields of a schema, most of them valid. */
function jsonObject({ properties = {}, required = [] }: Schema): fc.Arbitrary<string> {
  const some = Object.entries(properties).map(([name, schema]) =>
    weighted<string | null>(
      [20, valueOf(name, schema)],
      [2, hostileJson],
      [required.includes(name) ? 1 : 20, fc.constant(null)],
    ).map((text) => (text === null ? [] : [`${JSON.stringify(name)}:${text}`])),
  )
  const names = fc.oneof(
    word('__proto__ constructor prototype hasOwnProperty then extra'),
    fc.constantFrom('extra', ...Object.keys(properties)),
  )
  const more = weighted(
    [6, fc.constant<string[]>([])],
    [1, fc.tuple(names, hostileJson).map(([name, value]) => [`"${name}":${value}`])],
  )
  return fc
    .tuple(fc.tuple(...some), more)
    .map(([members, others]) => `{${[...members.flat(), ...others].join()}}`)
}

const photos = ['«png»', '«cut photo»', '«cut png»', '«large photo»', '«svg»', '«bomb»']

/** JSON of typical values of known fields. */
const knownFields: Readonly<Record<string, fc.Arbitrary<string>>> = {
  // «id» is of what the procedure is about.
  id: quoted('«id»', '«id»', '«id»', '«postId»', '«imageId»', 'nothing'),
  collectionId: quoted('«collectionId»', 'nothing'),
  postIds: fc.constantFrom('["«postId»"]', '["«postId»","nothing"]', '[]'),
  before: fc.constantFrom('"«postId»"', 'null'),
  until: fc.constantFrom('"2100-01-01T00:00:00.000Z"', '"yesterday"', 'null'),
  endpoint: quoted('https://127.0.0.1:9/', 'https://push.example.org/', 'nothing'),
  imageId: quoted('«imageId»', '«imageId»', '«postId»'),
  ids: fc.constantFrom('["«imageId»"]', '["«imageId»","«postId»"]', '[]'),
  postId: quoted('«postId»', '«postId»', '«imageId»'),
  // Of the discard service, at which nothing listens.
  url: quoted('http://127.0.0.1:65535/', 'http://127.0.0.1:9/', 'http://10.0.0.1/', 'nothing'),
  events: fc.constantFrom('["post.created"]', '["image.failed","post.hidden"]', '[]'),
  photo: quoted('«photo»', '«new photo»', '«new photo»', ...photos),
  cursor: quoted('«postCursor»', '«imageCursor»'),
  limit: weighted([5, fc.integer({ min: 1, max: 1_000 })], [1, fc.double()]).map(String),
  engine: quoted('rangoli', 'rangoli', 'nothing'),
  model: quoted('rangoli-1', 'nothing'),
  size: quoted('1024x1024', '512x768', '1x1', '0x0', 'large'),
  count: fc.integer({ min: 0, max: 5 }).map(String),
  seed: fc.constantFrom(0, 1, 4_294_967_295, 4_294_967_296, -1, 0.5).map(String),
  referenceImageIds: fc.constantFrom('[]', '["«imageId»"]', '["«postId»"]'),
  maskImageId: quoted('«imageId»', 'nothing'),
  strength: fc.constantFrom(0, 0.5, 1, 2).map(String),
  remixOf: quoted('«postId»', '«imageId»'),
  requestKey: quoted('«key»', '«key»', 'key', 'a key', 'ключ'),
  email: quoted('«email»', 'user@example.org', 'user', '', `${'x'.repeat(5_000)}@example.org`),
  password: quoted('a quiet lotus at dawn', 'short', '«megabyte»'),
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
      return jsonObject(schema)
    default:
      return someText
  }
}
