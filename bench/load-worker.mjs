/**
 * Requests one path on several connections as fast as responses arrive, and reports their number. Runs in a worker
 * thread, with sockets instead of an HTTP client, so that the server is the bottleneck.
 */
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** @type {{ port: number, path: string, connections: number, milliseconds: number }} */
const { port, path, connections, milliseconds } = workerData
const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
let responses = 0
let isOver = false

setTimeout(() => (isOver = true), milliseconds)
await Promise.all(Array.from({ length: connections }, ask))
parentPort?.postMessage(responses)

/** Sends the next request after each response, until the time is over. */
function ask() {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let [received, expected] = [0, 0]
    socket.on('connect', () => socket.write(request))
    socket.on('error', reject)
    socket.on('close', () => resolve(undefined))
    socket.on('data', (chunk) => {
      expected ||= responseLength(chunk)
      received += chunk.byteLength
      if (received < expected) return
      received = 0
      if (isOver) return void socket.end()
      responses += 1
      socket.write(request)
    })
  })
}

/**
 * Returns the length of a response, and of each further one of the path, by its first bytes.
 *
 * @param {Buffer} start
 */
function responseLength(start) {
  const [head = ''] = start.toString('latin1').split('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (!head.startsWith('HTTP/1.1 200') || !length) throw new Error(`Unexpected response:\n${head}`)
  return head.length + 4 + Number(length)
}
