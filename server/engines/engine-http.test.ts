import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { connectionError } from './engine-error.ts'
import { jsonMaxBytes, parseJson, readBytes } from './engine-http.ts'
import { readResponse } from './openai/image-response.ts'

/** Repeats a chunk for ever, and records the memory at its peak. */
function endless(start: string, chunk: string) {
  const before = memory()
  const seen = { bytes: 0, peak: 0 }
  // eslint-disable-next-line @typescript-eslint/require-await
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(start)
    for (let index = 0; ; index += 1) {
      const bytes = Buffer.from(chunk)
      seen.bytes += bytes.length
      if (index % 1_000 === 0) seen.peak = Math.max(seen.peak, memory() - before)
      yield bytes
    }
  }
  return { body: body(), seen }
}

function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const kilobytes = 64 * 1_024

test.each([
  ['data lines without a blank line', 'data: {', `data: ${'x'.repeat(kilobytes)}\n`],
  ['short data lines without a blank line', 'data: {', 'data:xy\n'.repeat(kilobytes / 8)],
  ['empty data lines without a blank line', 'data: {', 'data:\n'.repeat(kilobytes / 6)],
  ['a line without an end', 'data: "', 'x'.repeat(kilobytes)],
  ['comments', ': waiting', '\n: waiting'.repeat(kilobytes / 10)],
  ['events of other types', 'data: {}\n\n', `data: {"type":"ping","id":"${'x'.repeat(kilobytes)}"}\n\n`],
  ['white space', ' ', ' '.repeat(kilobytes)],
  ['JSON', '{"data":"', 'x'.repeat(kilobytes)],
])('the response of an engine that never ends is read up to a limit: %s', async (_name, start, chunk) => {
  const { body, seen } = endless(start, chunk)
  const read = async () => {
    for await (const message of readResponse(body, {})) expect(message).toBeUndefined()
  }
  await expect(read()).rejects.toMatchObject({ code: 'engine_failed', message: /too (large|many lines)/ })
  expect(seen.bytes).toBeLessThan(3 * jsonMaxBytes)
  expect(seen.peak).toBeLessThan(300_000_000)
})

test('joins the chunks of a response', async () => {
  const chunks = ['a', '', 'bc', 'd'.repeat(10_000), 'e'].map((text) => Buffer.from(text))
  expect((await readBytes(Readable.from(chunks), 10_004)).toString()).toBe(`abc${'d'.repeat(10_000)}e`)
  await expect(readBytes(Readable.from(chunks), 10_003)).rejects.toThrow('too large')
})

describe('JSON', () => {
  test('is not parsed if its structure would take seconds', () => {
    expect(parseJson(`[${'[],'.repeat(5_000_000)}[]]`)).toBeUndefined()
    expect(parseJson(`{${'"":"",'.repeat(2_000_000)}"":""}`)).toBeUndefined()
  })

  test.each([
    ['a long string', { b64_json: 'x'.repeat(40_000_000), n: 1 }],
    ['quotes and backslashes', { text: '\\"'.repeat(2_000_000), more: '\\', n: [1] }],
    ['many numbers', Array.from({ length: 200_000 }, (_, index) => index)],
  ])('is parsed with %s', (_name, value) => {
    expect(parseJson(JSON.stringify(value))).toEqual(value)
  })

  test('is undefined if a string does not end', () => {
    expect(parseJson(`["${'x'.repeat(3_000_000)}`)).toBeUndefined()
    expect(parseJson(`["${'\\'.repeat(3_000_001)}"`)).toBeUndefined()
  })
})

const systemError = (code: string, syscall = 'read') => Object.assign(new Error(code), { code, syscall })
const aggregate = (code: string) => Object.assign(new AggregateError([systemError(code)]), { code })

test.each([
  [systemError('ECONNREFUSED', 'connect'), 'engine_unavailable', 'ECONNREFUSED'],
  [aggregate('ECONNREFUSED'), 'engine_unavailable', 'ECONNREFUSED'],
  [systemError('ENOTFOUND', 'getaddrinfo'), 'engine_unavailable', 'ENOTFOUND'],
  [systemError('EHOSTUNREACH', 'connect'), 'engine_unavailable', 'EHOSTUNREACH'],
  [systemError('ETIMEDOUT', 'connect'), 'engine_unavailable', 'ETIMEDOUT'],
  [aggregate('ETIMEDOUT'), 'engine_unavailable', 'ETIMEDOUT'],
  [systemError('ETIMEDOUT'), 'engine_failed', 'ETIMEDOUT'],
  [systemError('ECONNRESET'), 'engine_failed', 'ECONNRESET'],
  [systemError('CERT_HAS_EXPIRED'), 'engine_misconfigured', 'CERT_HAS_EXPIRED'],
  [new TypeError('no code'), 'engine_failed', 'TypeError'],
  ['no error', 'engine_failed', 'string'],
])('classifies the connection error %s as %s', (thrown, code, networkError) => {
  const wrapped = new Error('Connection error.', { cause: thrown })
  for (const error of [thrown, wrapped]) {
    expect(connectionError(error)).toMatchObject({ code, facts: { networkError } })
  }
})
