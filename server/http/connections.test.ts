import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { stream } from 'hono/streaming'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../test/support/generations.ts'
import { openLog } from '../observability/log.ts'
import { connectionLimits, Connections, listen, type ConnectionLimits } from './connections.ts'

const usual: ConnectionLimits = {
  headersTimeoutMs: 400,
  requestTimeoutMs: 1_500,
  stallTimeoutMs: 400,
  minBytesPerSecond: 1,
  keepAliveTimeoutMs: 200,
  connectionsPerNetwork: null,
}

/** More than the kernel buffers of an unread response. */
const largeResponse = Buffer.alloc(32 * 1024 * 1024, 'x')

/** A server with a few routes, and functions to reach it by raw sockets. */
async function startServer(limits: Partial<ConnectionLimits> = {}) {
  /** The last requests of connections that are closed. */
  const ended: string[] = []
  const lines: string[] = []
  const noteEnd: MiddlewareHandler<{ Bindings: HttpBindings }> = async (c, next) => {
    c.env.incoming.socket.once('close', () => ended.push(c.req.path))
    await next()
  }
  const app = new Hono().onError((error, c) => c.text(error.message, 400))
  app.use(noteEnd)
  app.get('/', (c) => c.text('hello'))
  app.get('/large', (c) => c.body(largeResponse))
  app.get('/large-stream', (c) =>
    stream(c, async (body) => {
      for (let sent = 0; sent < largeResponse.length; sent += 0x10000)
        await body.write(largeResponse.subarray(0, 0x10000))
    }),
  )
  app.get('/quiet', (c) =>
    stream(c, async (body) => {
      await body.write('at first, ')
      await body.sleep(usual.stallTimeoutMs * 3)
      await body.write('and at last')
    }),
  )
  app.post('/echo', async (c) => c.text(await c.req.text()))
  app.post('/slow', async (c) => {
    const said = await c.req.text()
    await new Promise((resolve) => setTimeout(resolve, usual.stallTimeoutMs * 3))
    return c.text(said)
  })
  const connections = new Connections(
    { ...usual, ...limits },
    openLog('warn', { write: (line) => lines.push(line) }),
  )
  const { port, close } = await listen(app, ['127.0.0.1'], 0, connections)
  onTestFinished(() => close(0))
  return {
    port,
    close,
    url: `http://127.0.0.1:${port}`,
    ended,
    lines,
    open: (sent: string) => openSocket(port, sent),
  }
}

async function openSocket(port: number, sent: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  // A connection may end with an error or without.
  socket.on('error', () => {})
  onTestFinished(() => {
    socket.destroy()
  })
  await once(socket, 'connect')
  socket.write(sent)
  return socket
}

/** Sends a chunk repeatedly until the connection is closed. */
function sendRepeatedly(socket: Socket, bit: string): void {
  const timer = setInterval(() => socket.write(bit), 50)
  socket.once('close', () => clearInterval(timer))
}

async function closed(socket: Socket): Promise<void> {
  socket.resume()
  // Unlike `once` of node:events, which rejects if the connection is reset.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

const post = 'POST /echo HTTP/1.1\r\nHost: here\r\n'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`

test.each([
  ['headers never end', 'POST /echo HTTP/1.1\r\nHost: here\r\n', 'X-More: yes\r\n'],
  ['body stops', `${post}Content-Length: 100\r\n\r\nbeginning`, ''],
  ['body never ends', `${post}Content-Length: 100000\r\n\r\n`, 'x'],
  ['chunks never end', `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'],
])('closes a connection whose %s, and serves other clients meanwhile', async (_, start, bit) => {
  const { url, open } = await startServer()
  const socket = await open(start)
  if (bit) sendRepeatedly(socket, bit)
  const response = await fetch(`${url}/echo`, { method: 'POST', body: 'hello' })
  expect(await response.text()).toBe('hello')
  await closed(socket)
})

test('closes a connection whose body arrives below the minimum rate, and no other', async () => {
  const { open } = await startServer({ requestTimeoutMs: 60_000, minBytesPerSecond: 2_000 })
  const begin = async (bit: string) => {
    const socket = await open(`${post}Content-Length: 100000\r\n\r\n`)
    sendRepeatedly(socket, bit)
    return socket
  }
  const fast = await begin('x'.repeat(2_000))
  await closed(await begin('x'))
  expect(fast.destroyed).toBe(false)
})

test('limits neither how long the server takes to respond, nor how long a stream idles', async () => {
  const { url } = await startServer()
  const slow = fetch(`${url}/slow`, { method: 'POST', body: 'a prompt' })
  const quiet = fetch(`${url}/quiet`)
  expect(await (await slow).text()).toBe('a prompt')
  expect(await (await quiet).text()).toBe('at first, and at last')
})

test.each(['/large', '/large-stream'])('disconnects a client that does not read %s', async (path) => {
  const { open, ended } = await startServer()
  const socket = (await open(get(path))).pause()
  // Sending is no progress of reading.
  sendRepeatedly(socket, 'x')
  await eventually(() => ended).toEqual([path])
  let received = 0
  socket.on('data', (chunk) => (received += chunk.length))
  await closed(socket)
  expect(received).toBeLessThan(largeResponse.length)
})

test('does not disconnect a client that reads slowly', async () => {
  const stallTimeoutMs = 1_000
  const { open, ended } = await startServer({ stallTimeoutMs })
  const socket = await open(get('/large'))
  const began = performance.now()
  // The kernel reports progress in steps of one to two megabytes, some twenty in all.
  const mayHave = () => (largeResponse.length * (performance.now() - began)) / (stallTimeoutMs * 2.5)
  let received = 0
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error(`The server closed the connection after ${received} bytes.`)))
    socket.on('data', (chunk) => {
      received += chunk.length
      if (received > largeResponse.length) resolve()
      else if (received > mayHave()) {
        socket.pause()
        setTimeout(() => socket.resume(), 5)
      }
    })
  })
  expect(performance.now() - began).toBeGreaterThan(stallTimeoutMs * 2)
  expect(ended).toEqual([])
})

test.each([
  ['without a body', get('/')],
  ['with a body', 'GET / HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\nbody'],
  [
    'with a chunked body',
    'GET / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n',
  ],
  ['whose body never ends', 'GET / HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nbody'],
  ['after a POST', `POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\nbody${get('/')}`],
])('closes an idle connection after a GET %s', async (_, request) => {
  const { open } = await startServer({ stallTimeoutMs: 60_000 })
  const socket = await open(request)
  const response = text(socket)
  await closed(socket)
  expect(await response).toContain('hello')
})

test('closes connections without a request when it stops', async () => {
  const { open, close } = await startServer({ headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 })
  const unused = await open('')
  const slow = await open(get('/quiet'))
  await once(slow, 'data')
  const response = text(slow)
  const began = performance.now()
  await close(30)
  expect(performance.now() - began).toBeLessThan(10_000)
  await closed(unused)
  expect(await response).toContain('and at last')
})

test('rejects connections above the limit of a client network until one is closed', async () => {
  const { port, open, lines } = await startServer({
    connectionsPerNetwork: 3,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
  })
  const sockets = [await open(''), await open(''), await open('')]
  for (const rejected of [await open(''), await open(get('/'))]) {
    const response = await text(rejected)
    expect(response).toMatch(/^HTTP\/1\.1 503 /)
    expect(response).toContain('\r\nRetry-After: 10\r\n')
    expect(response).toContain('Too many connections from your network.')
  }
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('set TRUST_PROXY')

  const other = await openSocket(port, get('/'), '127.0.0.2')
  expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  sockets[0]?.destroy()
  await eventually(async () => {
    const next = await open('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n')
    return (await text(next)).slice(0, 12)
  }).toBe('HTTP/1.1 200')
})

test('limits the connections of a network to 300 unless all are those of a proxy', () => {
  expect(connectionLimits({ proxyHops: 0 })).toMatchObject({ connectionsPerNetwork: 300 })
  expect(connectionLimits({ proxyHops: 1 })).toMatchObject({ connectionsPerNetwork: null })
})
