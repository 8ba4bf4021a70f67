/**
 * Requests `/healthz` and the gallery again and again, until it receives a message, and reports the milliseconds of each
 * `/healthz`. Runs in a worker thread, so that the work of the sender does not count.
 */
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** @type {{ port: number }} */
const { port } = workerData
const agent = new Agent({ keepAlive: true })
/** @type {number[]} */
const times = []
const over = new AbortController()
parentPort?.once('message', () => over.abort())

/** @param {string} path */
async function ask(path) {
  const start = performance.now()
  await new Promise((resolve, reject) => {
    get({ agent, host: '127.0.0.1', port, path }, (response) => response.resume().once('end', resolve)).once(
      'error',
      reject,
    )
  })
  return performance.now() - start
}

while (!over.signal.aborted) {
  const [time] = await Promise.all([ask('/healthz'), ask('/trpc/posts.list'), ask('/')])
  times.push(time)
  await pause(5)
}
agent.destroy()
parentPort?.postMessage(times)
