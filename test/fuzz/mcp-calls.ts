import * as fc from 'fast-check'
import { hostileJson, jsonObject, type Field } from './hostile-json.ts'
import { body, contentType, quoted, required, someText, type Question } from './question.ts'

const optional = (value: fc.Arbitrary<string>): Field => ({ value, isOptional: true })
const numbers = (...values: number[]) => fc.constantFrom(...values).map(String)

const image = quoted('«imageId»', '«imageId»', '«postId»', 'x')
const visibility = quoted('public', 'unlisted', 'private', 'none')

/** Arguments of each tool. */
const tools: Readonly<Record<string, fc.Arbitrary<string>>> = {
  search_posts: jsonObject({ query: required(someText), limit: optional(numbers(1, 50, 0, 51)) }),
  get_post: jsonObject({ id: required(quoted('«postId»', '«postId»', '«imageId»', '../x')) }),
  generate_image: jsonObject({
    prompt: required(someText),
    size: optional(quoted('1024x1024', '256x512', '1x1')),
    count: optional(numbers(1, 2, 5)),
    seed: optional(numbers(7, -1)),
    referenceImageIds: optional(image.map((id) => `[${id}]`)),
    visibility: optional(visibility),
  }),
  share_image: jsonObject({
    imageId: required(image),
    name: optional(someText),
    prompt: optional(someText),
    visibility: optional(visibility),
  }),
  my_images: jsonObject({ limit: optional(numbers(1, 10)), cursor: optional(quoted('«imageCursor»', 'x')) }),
}

const id = fc.oneof({ weight: 8, arbitrary: numbers(1, 2) }, { weight: 1, arbitrary: hostileJson })

const toolCall = fc
  .constantFrom(...Object.entries(tools))
  .chain(([name, input]) =>
    fc
      .record({ id, input, meta: fc.constantFrom('', ',"_meta":{"progressToken":1}', ',"_meta":7') })
      .map(
        (choice) =>
          `{"jsonrpc":"2.0","id":${choice.id},"method":"tools/call","params":{"name":"${name}","arguments":${choice.input}${choice.meta}}}`,
      ),
  )

/** Metadata of each request since version 2026-07-28. */
const envelope = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
})

const otherCall = fc
  .record({
    id,
    method: fc.constantFrom(
      'initialize',
      'tools/list',
      'tools/call',
      'server/discover',
      'subscriptions/listen',
      'resources/list',
      'ping',
      'logging/setLevel',
      '__proto__',
    ),
    params: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('{}', `{"_meta":${envelope}}`) },
      {
        weight: 2,
        arbitrary: fc.constant(
          '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}',
        ),
      },
      { weight: 2, arbitrary: hostileJson },
    ),
  })
  .map(
    (choice) => `{"jsonrpc":"2.0","id":${choice.id},"method":"${choice.method}","params":${choice.params}}`,
  )

const message = fc.oneof({ weight: 3, arbitrary: toolCall }, { weight: 2, arbitrary: otherCall })

/** Messages to the MCP endpoint, alone and in batches, mostly valid. */
export function mcpCall(): fc.Arbitrary<Question> {
  const messages = fc.oneof(
    { weight: 5, arbitrary: message },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }).map((batch) => `[${batch.join()}]`) },
  )
  return fc
    .record({
      type: contentType,
      sent: body(messages),
      version: fc.constantFrom<[string, string][]>([], [], [['Mcp-Protocol-Version', '2026-07-28']]),
    })
    .map(({ type, sent, version }): Question => ({
      method: 'POST',
      target: '/mcp',
      headers: [['Content-Type', type], ['Accept', 'application/json, text/event-stream'], ...version],
      body: sent,
    }))
}
