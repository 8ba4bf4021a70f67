import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

const connections = 16
const milliseconds = 1_500

/** How many requests for `pathname` a server of this machine answers in a second. */
export async function requestsPerSecond(port: number, pathname: string): Promise<number> {
  const worker = new Worker(path.join(import.meta.dirname, 'load-worker.mjs'), {
    workerData: { port, path: pathname, connections, milliseconds },
  })
  const [answers] = (await once(worker, 'message')) as [number]
  return (answers * 1_000) / milliseconds
}
