/**
 * Asks for one address over several connections for a while, as fast as answers come, and reports how many came. A
 * thread of its own, with sockets instead of an HTTP client, so that the server is what is measured.
 */
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** @type {{ port: number, path: string, connections: number, milliseconds: number }} */
const { port, path, connections, milliseconds } = workerData
const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
const headEnd = Buffer.from('\r\n\r\n')
let answers = 0
let isOver = false

setTimeout(() => (isOver = true), milliseconds)
await Promise.all(Array.from({ length: connections }, ask))
parentPort?.postMessage(answers)

/** Sends the next request when an answer is there, until the time is over. */
function ask() {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = Buffer.alloc(0)
    let expected = Infinity
    socket.on('connect', () => socket.write(request))
    socket.on('error', reject)
    socket.on('close', () => resolve(undefined))
    socket.on('data', (chunk) => {
      received = received.byteLength === 0 ? chunk : Buffer.concat([received, chunk])
      if (expected === Infinity) expected = responseLength(received)
      if (received.byteLength < expected) return
      received = Buffer.alloc(0)
      expected = Infinity
      if (isOver) return void socket.end()
      answers += 1
      socket.write(request)
    })
  })
}

/**
 * How long an answer is with its head; infinite while that has not all come.
 *
 * @param {Buffer} received
 */
function responseLength(received) {
  const end = received.indexOf(headEnd)
  if (end < 0) return Infinity
  const head = received.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (!head.startsWith('HTTP/1.1 200') || !length) throw new Error(`This answer can't be counted:\n${head}`)
  return end + headEnd.byteLength + Number(length)
}
