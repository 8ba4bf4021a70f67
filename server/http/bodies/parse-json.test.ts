import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../../test/fuzz/seed.ts'
import { parseLargeJson } from './parse-json.ts'

const long = 'x'.repeat(5_000)

test('parses any JSON as JSON.parse does', async () => {
  const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code))
  const text = fc.string({ unit }).map((part) => part.repeat(1 + 300_000 / (1 + part.length)))
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.array(text, { maxLength: 3 }), async (value, texts) => {
      const json = JSON.stringify({ value, texts, long, escaped: long.replaceAll('x', '/') })
      for (const one of [json, json.replaceAll('/', '\\/'), json.replaceAll('x', '\\u0078')])
        expect(
          JSON.stringify(await parseLargeJson(Buffer.from(one))) === JSON.stringify(JSON.parse(one)),
        ).toBe(true)
    }),
    tries(4),
  )
})

test.each([
  '',
  '{',
  `"${long}`,
  `"${long}\n"`,
  `"${long}\\x"`,
  `"${long}\\u00"`,
  `"${long}\\"`,
  `{${long}}`,
  `{"${long}":1}`,
  `["${long}" "${long}"]`,
  `[${'[],'.repeat(10_000)}0]`,
  `[${'[],'.repeat(10)}${' '.repeat(2_000_000)}]`,
])('rejects %.20j', async (json) => {
  await expect(parseLargeJson(Buffer.from(json))).rejects.toThrow(SyntaxError)
})
