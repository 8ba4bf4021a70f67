/**
 * Requests `/healthz` and the gallery again and again, until it receives a message, and reports the milliseconds of each
 * `/healthz`. Runs in a worker thread, so that the work of the sender does not count.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** @type {number[]} */
const times = []
const over = new AbortController()
parentPort?.once('message', () => over.abort())

/** @param {string} path */
async function ask(path) {
  const start = performance.now()
  await (await fetch(`http://127.0.0.1:${workerData.port}${path}`)).arrayBuffer()
  return performance.now() - start
}

while (!over.signal.aborted) {
  const [time] = await Promise.all([ask('/healthz'), ask('/trpc/posts.list'), ask('/')])
  times.push(time)
  await pause(5)
}
parentPort?.postMessage(times)
