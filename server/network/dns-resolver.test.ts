import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createDnsResolver, pinAddress } from './addresses.ts'

/** Starts a DNS server; `answer` creates its responses, null for none. */
async function startDns(answer: (query: Buffer) => Buffer | null) {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  const queries: Buffer[] = []
  socket.on('message', (query, { port, address }) => {
    queries.push(query)
    const response = answer(query)
    if (response) socket.send(response, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  return { server: `127.0.0.1:${port}`, queries }
}

/** Length of the header of a message. */
const headerLength = 12

/** Reads the type of the record that a query asks for, behind the name. */
const typeOf = (query: Buffer) => query.readUInt16BE(query.indexOf(0, headerLength) + 1)

/** Answers a query with one address, or with none. @see https://www.rfc-editor.org/rfc/rfc1035#section-4.1 */
function respond(query: Buffer, address: readonly number[]): Buffer {
  const question = query.subarray(headerLength, query.indexOf(0, headerLength) + 5)
  const header = Buffer.from(query.subarray(0, headerLength))
  header.writeUInt16BE(0x81_80, 2)
  header.writeUInt16BE(address.length === 0 ? 0 : 1, 6)
  header.writeUInt16BE(0, 10)
  const record = Buffer.from([0xc0, 0x0c, 0, typeOf(query), 0, 1, 0, 0, 0, 60, 0, address.length, ...address])
  return Buffer.concat([header, question, ...(address.length === 0 ? [] : [record])])
}

const typeA = 1

test('returns the addresses of a host, and rejects one without', async () => {
  const { server } = await startDns((query) => respond(query, typeOf(query) === typeA ? [192, 0, 2, 7] : []))
  const resolve = createDnsResolver([server])
  expect(await resolve('hooks.example.org')).toEqual([{ address: '192.0.2.7', family: 4 }])
  const empty = createDnsResolver([(await startDns((query) => respond(query, []))).server])
  await expect(empty('hooks.example.org')).rejects.toMatchObject({ code: 'ENODATA' })
})

test('a server that fails for a host is not taken for a host without addresses', async () => {
  const { server } = await startDns((query) => {
    const response = respond(query, [])
    if (typeOf(query) !== typeA) response.writeUInt16BE(0x81_82, 2)
    return response
  })
  const rules = { resolve: createDnsResolver([server]), isAllowed: () => true }
  await expect(pinAddress(new URL('https://hooks.example.org/'), rules)).rejects.toMatchObject({
    reason: 'unresolved',
    cause: { code: 'ESERVFAIL' },
  })
})

test.each([
  ['ENOTFOUND', 'unknown'],
  ['ENODATA', 'unknown'],
  ['EBADNAME', 'unknown'],
  ['ETIMEOUT', 'unresolved'],
  ['ESERVFAIL', 'unresolved'],
  ['ECONNREFUSED', 'unresolved'],
  ['EAI_AGAIN', 'unresolved'],
])('the error %s means that a host is %s', async (code, reason) => {
  const resolve = () => Promise.reject(Object.assign(new Error(code), { code }))
  const pin = pinAddress(new URL('https://hooks.example.org/'), { resolve, isAllowed: () => true })
  await expect(pin).rejects.toMatchObject({ reason })
})

test('names whose servers never answer do not delay other lookups, and are given up', async () => {
  const { server, queries } = await startDns(() => null)
  const resolve = createDnsResolver([server])
  let waiting = 20
  const silent = Array.from({ length: waiting }, (_, index) =>
    resolve(`silent-${index}.example.org`).catch((error: unknown) => {
      waiting -= 1
      return error
    }),
  )
  await expect.poll(() => queries.length).toBeGreaterThanOrEqual(20)
  expect(await lookup('localhost', { all: true })).not.toEqual([])
  expect(waiting).toBe(20)
  const errors = await Promise.all(silent)
  expect(errors).toEqual(Array.from({ length: 20 }, () => expect.objectContaining({ code: 'ETIMEOUT' })))
})
