import * as fc from 'fast-check'
import { anyCharacter, anyText } from '../support/texts.ts'

/** Placeholders of texts that are too long to print. */
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

const strangeText = fc.oneof(
  anyText,
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(
    '«megabyte»',
    '«page»',
    '«tower»',
    '«letters»',
    '«couples»',
    '«syllables»',
    '',
    ' ',
    '\0',
    '../../etc/passwd',
    "'; DROP TABLE posts; --",
  ),
)

/** JSON of any value, also in forms that no serializer writes. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: strangeText.map((text) => JSON.stringify(text)) },
  { weight: 3, arbitrary: fc.json({ maxDepth: 3 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'null',
      'true',
      '0',
      '-0',
      '-1',
      '1e999',
      '1e-999',
      '9007199254740993',
      '123456789012345678901234567890',
      '0.1',
      '[]',
      '{}',
      '[[[]]]',
      '{"length":1e9}',
      '{"__proto__":{"polluted":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"toString":null,"valueOf":null,"then":1}',
      '{"toJSON":"x","then":{}}',
      '"\\ud800"',
      '"\\u0000"',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('«deep list»', '«many keys»') },
)

/** A field of an object, with JSON of its value. */
export interface Field {
  readonly value: fc.Arbitrary<string>
  readonly isOptional: boolean
}

/** JSON of an object with these fields, most of them valid. */
export function jsonObject(fields: Readonly<Record<string, Field>>): fc.Arbitrary<string> {
  const some = Object.entries(fields).map(([name, { value, isOptional }]) =>
    fc
      .oneof(
        { weight: 20, arbitrary: value.map((text): string | null => text) },
        { weight: 2, arbitrary: hostileJson },
        { weight: isOptional ? 20 : 1, arbitrary: fc.constant(null) },
      )
      .map((text) => (text === null ? [] : [`${JSON.stringify(name)}:${text}`])),
  )
  const names = fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'then',
    'extra',
    ...Object.keys(fields),
  )
  const more = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(names, hostileJson).map(([name, value]) => [`"${name}":${value}`]) },
  )
  return fc
    .tuple(fc.tuple(...some), more)
    .map(([members, others]) => `{${[...members.flat(), ...others].join()}}`)
}

/** Texts that are not JSON. */
export const brokenJson = fc.constantFrom(
  '',
  '{',
  '{"prompt":',
  "{'prompt':'x'}",
  '{"prompt":"x",}',
  'undefined',
  'NaN',
  '\ufeff{}',
  '\0',
  '«unclosed»',
  'prompt=lotus&name=x',
  '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nlotus\r\n--x--\r\n',
  '\u001f\u008b\b\0\0\0\0\0\0\u0003',
  '"\xff\xfe\xc0\x80"',
)
