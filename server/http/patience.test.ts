import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'
import type { Patience } from './patience.ts'

const patience: Patience = { headers: 400, request: 1_500, silence: 300 }

/** A server that answers what it was sent, after a while if that is asked for; and how to reach it by bare sockets. */
async function startEcho() {
  const app = new Hono().onError((error, c) => c.text(error.message, 400))
  app.post('/echo', async (c) => c.text(await c.req.text()))
  app.post('/slow', async (c) => {
    const text = await c.req.text()
    await new Promise((resolve) => setTimeout(resolve, patience.silence * 3))
    return c.text(text)
  })
  const { port, close } = await listen(app, '127.0.0.1', 0, patience)
  onTestFinished(() => close(0))
  return {
    url: `http://127.0.0.1:${port}`,
    async open(text: string): Promise<Socket> {
      const socket = connect(port, '127.0.0.1')
      // The end of a connection may be an error or not; what counts is that it ends.
      socket.on('error', () => {})
      onTestFinished(() => {
        socket.destroy()
      })
      await once(socket, 'connect')
      socket.write(text)
      return socket
    },
  }
}

/** Sends a bit again and again until the connection is closed. */
async function trickle(socket: Socket, bit: string): Promise<void> {
  socket.resume()
  const timer = setInterval(() => socket.write(bit), 50)
  await once(socket, 'close')
  clearInterval(timer)
}

test('headers that never end are not waited for', async () => {
  const { open } = await startEcho()
  await trickle(await open('POST /echo HTTP/1.1\r\nHost: here\r\n'), 'X-More: yes\r\n')
})

test('a body that stops is not waited for', async () => {
  const { open } = await startEcho()
  const socket = await open('POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nbeginning')
  socket.resume()
  await once(socket, 'close')
})

test.each(['Content-Length: 100000', 'Transfer-Encoding: chunked'])(
  'a body that comes bit by bit for ever is not waited for (%s)',
  async (header) => {
    const { open } = await startEcho()
    const socket = await open(`POST /echo HTTP/1.1\r\nHost: here\r\n${header}\r\n\r\n`)
    await trickle(socket, header.startsWith('C') ? 'x' : '1\r\nx\r\n')
  },
)

test('an answer may take longer than a body may be silent', async () => {
  const { url } = await startEcho()
  const answer = await fetch(`${url}/slow`, { method: 'POST', body: 'a prompt' })
  expect(await answer.text()).toBe('a prompt')
})

test('one silent client does not keep others from being answered', async () => {
  const { url, open } = await startEcho()
  await open('POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\n')
  const answer = await fetch(`${url}/echo`, { method: 'POST', body: 'hello' })
  expect(await answer.text()).toBe('hello')
})
