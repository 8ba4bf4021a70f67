import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

/** Revisions of the protocol: with a handshake, and with the version in each request. */
export const protocols = [
  { name: 'a client of 2025', mode: 'legacy' },
  { name: 'a client of 2026', mode: { pin: '2026-07-28' } },
] as const

type ProtocolMode = (typeof protocols)[number]['mode']

interface ConnectOptions {
  readonly key?: string | undefined
  readonly mode?: ProtocolMode
}

/** Connects the official client with a site. */
export async function connectMcp(
  siteUrl: string,
  { key, mode = 'legacy' }: ConnectOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', siteUrl), {
    requestInit: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** Returns the first text of a result, as JSON. */
export function jsonOf(result: Pick<CallToolResult, 'content'>): Record<string, unknown> {
  return JSON.parse(textOf(result)) as Record<string, unknown>
}

/** Returns the first text of a result. */
export function textOf({ content }: Pick<CallToolResult, 'content'>): string {
  const block = content.find(({ type }) => type === 'text')
  if (block?.type !== 'text') throw new Error('The result has no text.')
  return block.text
}

/** Returns the images of a result. */
export function imagesOf({ content }: Pick<CallToolResult, 'content'>): Buffer[] {
  return content.flatMap((block) => (block.type === 'image' ? Buffer.from(block.data, 'base64') : []))
}
