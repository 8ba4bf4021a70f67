import { once } from 'node:events'
import { request } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { emptyFolder, residentMegabytes, runCommand, seed, startServer } from './built-server.ts'
import { percentile, type Print } from './measure.ts'

const megabyte = 1024 * 1024

/** Account of the attacker. */
const email = 'asha@example.org'

/** Requests of one user that are sent at once and cost as much as they can. */
interface Attack {
  readonly name: string
  readonly isImage?: boolean
  readonly path: string
  readonly type: string
  readonly count: number
  readonly body: () => Buffer | Promise<Buffer>
  /** True to send the beginning only. */
  readonly isHalfSent?: boolean
}

const upload = { path: '/trpc/images.upload', type: 'application/octet-stream' }
const form = { path: '/v1/images/edits', type: 'multipart/form-data; boundary=xyz' }
const photo = { path: '/trpc/posts.create', type: 'application/json' }

const zeros = () => Buffer.alloc(20 * megabyte)
const largePhoto = () => json(Buffer.alloc(19 * megabyte, 7).toString('base64'))
const tinyParts = () => Buffer.from('--xyz\r\n\r\n\r\n'.repeat(2_000_000))

/** Enough pixels to take the longest of what is accepted. */
const plain = (channels: 3 | 4, side = 6_300) =>
  sharp({ create: { width: side, height: side, channels, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })

const interlaced = () => plain(4).toColourspace('rgb16').png({ progressive: true })
const rotated = () => plain(3).withMetadata({ orientation: 6 }).jpeg()
const hostile = { ...upload, isImage: true, count: 2 }

const attacks: readonly Attack[] = [
  { name: 'empty segments', ...upload, count: 4, body: () => repeated([0xff, 0xe1, 0, 0]) },
  { name: 'segments in a form', ...form, count: 3, body: () => inForm(repeated([0xff, 0xe1, 0, 2])) },
  { name: '80 half-sent uploads', ...upload, count: 80, body: zeros, isHalfSent: true },
  { name: 'a photo in JSON', ...photo, count: 4, body: largePhoto },
  { name: 'escapes in JSON', ...photo, count: 4, body: () => json('\\u0041'.repeat(4_000_000)) },
  { name: '2 million keys', ...photo, count: 4, body: () => Buffer.from(`{${keys(2_000_000)}}`) },
  { name: 'tiny parts', ...form, count: 4, body: tinyParts },
  { name: 'PNG, interlaced, 16 bits', ...hostile, body: () => interlaced().toBuffer() },
  { name: 'JPEG, progressive', ...hostile, body: () => plain(3).jpeg({ progressive: true }).toBuffer() },
  { name: 'JPEG, to be rotated', ...hostile, body: () => rotated().toBuffer() },
  { name: 'WebP', ...hostile, body: () => plain(4, 4_850).webp({ lossless: true, effort: 0 }).toBuffer() },
]

const metricsToken = 'the-token-of-this-benchmark'

/**
 * Hostile bodies of one user, with reads of others meanwhile: memory, pauses of the event loop, and the time that `/healthz`
 * waits. All bodies meet one server, and each image another one.
 */
export async function run(print: Print, { isQuick }: { readonly isQuick: boolean }): Promise<void> {
  const images = attacks.filter(({ isImage }) => isImage)
  const others = attacks.filter(({ isImage }) => !isImage)
  const settings = { DAILY_UPLOAD_LIMIT: '1000', LOG_LEVEL: 'error', METRICS_TOKEN: metricsToken }
  for (const group of [others, ...images.map((image) => [image])]) {
    await using folder = await emptyFolder()
    seed(folder.path, 100)
    await using server = await startServer(folder.path, settings)
    runCommand(folder.path, ['account', 'add', email])
    const key = runCommand(folder.path, ['account', 'add-key', email]).trim().split('\n').at(-1) ?? ''
    const memory = () => residentMegabytes(server)
    await probed(server.port, () => pause(2_000))
    const start = memory()
    for (const attack of group) print(await measure(server.port, key, attack, () => memory() - start))
    if (!isQuick) await pause(60_000)
    const later = isQuick ? 'then' : 'after a minute (at most 50)'
    print(`bodies: ${(memory() - start).toFixed(0)} MB above the start ${later}`)
  }
}

/** @param memory returns the megabytes above the start */
async function measure(port: number, key: string, attack: Attack, memory: () => number): Promise<string> {
  const body = await attack.body()
  let peak = 0
  await longestPause(port)
  const watch = setInterval(() => (peak = Math.max(peak, memory())), 10)
  const { result, times } = await probed(port, () => sendAll(port, key, attack, body))
  clearInterval(watch)
  const figures = [peak, await longestPause(port), percentile(times, 0.99)]
  const [above, paused, waited] = figures.map((figure) => figure.toFixed(0).padStart(3))
  return `bodies: ${attack.name.padEnd(24)} ${above} MB above the start${attack.isImage ? ' (at most 250)' : ''}; longest pause ${paused} ms (at most 100); /healthz p99 ${waited} ms (at most 200); ${result}`
}

/** Precision of the metric, which each pause includes, in milliseconds. */
const pausePrecision = 10

/** Returns the longest pause of the event loop since the last call, in milliseconds. */
async function longestPause(port: number): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics) ?? []
  return Math.max(0, Number(seconds) * 1_000 - pausePrecision)
}

/** Runs work, and measures `/healthz` meanwhile. */
async function probed<Result>(port: number, work: () => Promise<Result>) {
  const probe = new Worker(path.join(import.meta.dirname, 'probe-worker.mjs'), { workerData: { port } })
  await once(probe, 'online')
  const result = await work()
  probe.postMessage('end')
  const [times] = (await once(probe, 'message')) as [number[]]
  return { result, times }
}

/** Sends all requests of an attack at once; returns the statuses of the responses. */
async function sendAll(
  port: number,
  key: string,
  { path: pathname, type, count, isHalfSent }: Attack,
  body: Buffer,
): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type, 'content-length': body.length }
  const statuses = Array.from({ length: count }, async () => {
    const sending = request({ host: '127.0.0.1', port, path: pathname, method: 'POST', headers })
    const response = once(sending, 'response') as Promise<[{ statusCode: number; resume(): void }]>
    response.then(([received]) => received.resume()).catch(() => {})
    if (isHalfSent) {
      sending.write(body.subarray(0, body.length - 1_000))
      await pause(5_000)
      sending.destroy()
    } else sending.end(body)
    return response.then(([{ statusCode }]) => statusCode).catch(() => 'closed')
  })
  return [...new Set(await Promise.all(statuses))].join(', ')
}

function repeated(pattern: readonly number[]): Buffer {
  const file = Buffer.alloc(20 * megabyte, Buffer.from(pattern))
  file.set([0xff, 0xd8, 0xff, 0xe0, 0, 2])
  return file
}

function inForm(file: Buffer): Buffer {
  const disposition = 'content-disposition: form-data; name='
  const head = `--xyz\r\n${disposition}"prompt"\r\n\r\nA\r\n--xyz\r\n${disposition}"image"; filename="a"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--xyz--\r\n')])
}

function json(text: string): Buffer {
  return Buffer.from(`{"prompt":"p","photo":"data:image/png;base64,${text}"}`)
}

function keys(count: number): string {
  return Array.from({ length: count }, (_, key) => `"${key}":0`).join(',')
}
