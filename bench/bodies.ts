import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sharp, { type Sharp } from 'sharp'
import { seed, startBuiltServer, withFolder } from './built-server.ts'
import { percentile, type Print } from './measure.ts'

const megabyte = 1024 * 1024

/** A request that costs as much as one can. */
interface Attack {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly body: () => Buffer | Promise<Buffer>
  /** Requests that are sent at once. */
  readonly count: number
  /** True to send the beginning only. */
  readonly isHalfSent?: boolean
}

const upload = { path: '/trpc/images.upload', type: 'application/octet-stream' }
const form = { path: '/v1/images/edits', type: 'multipart/form-data; boundary=xyz' }
const photo = { path: '/trpc/posts.create', type: 'application/json' }

const image = (create: () => Sharp) => () => create().toBuffer()
const plain = (channels: 3 | 4, side = 6_300) =>
  sharp({ create: { width: side, height: side, channels, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })

const attacks: readonly Attack[] = [
  { ...upload, name: 'empty segments', count: 4, body: () => repeated([0xff, 0xe1, 0, 0], 20 * megabyte) },
  { ...upload, name: 'fill bytes', count: 4, body: () => repeated([0xff, 0xff, 0xff, 0xff], 20 * megabyte) },
  {
    ...form,
    name: 'segments in a form',
    count: 3,
    body: () => inForm(repeated([0xff, 0xe1, 0, 2], 20 * megabyte)),
  },
  {
    ...upload,
    name: '80 half-sent uploads',
    count: 80,
    body: () => Buffer.alloc(20 * megabyte),
    isHalfSent: true,
  },
  {
    ...photo,
    name: 'a photo in JSON',
    count: 4,
    body: () => json(Buffer.alloc(19 * megabyte, 7).toString('base64')),
  },
  { ...photo, name: 'escapes in JSON', count: 4, body: () => json('\\u0041'.repeat(4_000_000)) },
  { ...photo, name: 'empty lists', count: 4, body: () => Buffer.from(`[${'[],'.repeat(8_600_000)}0]`) },
  { ...photo, name: '2 million keys', count: 4, body: () => Buffer.from(`{${keys(2_000_000)}}`) },
  {
    ...form,
    name: 'header lines',
    count: 4,
    body: () => Buffer.from(`--xyz\r\n${'x: y\r\n'.repeat(4_000_000)}`),
  },
  { ...form, name: 'tiny parts', count: 4, body: () => Buffer.from('--xyz\r\n\r\n\r\n'.repeat(2_000_000)) },
  {
    ...upload,
    name: 'PNG, interlaced, 16 bits',
    count: 2,
    body: image(() => plain(4).toColourspace('rgb16').png({ progressive: true })),
  },
  { ...upload, name: 'PNG, interlaced', count: 2, body: image(() => plain(4).png({ progressive: true })) },
  { ...upload, name: 'JPEG, progressive', count: 2, body: image(() => plain(3).jpeg({ progressive: true })) },
  {
    ...upload,
    name: 'JPEG, to be rotated',
    count: 2,
    body: image(() => plain(3).withMetadata({ orientation: 6 }).jpeg()),
  },
  {
    ...upload,
    name: 'WebP',
    count: 2,
    body: image(() => plain(4, 4_850).webp({ lossless: true, effort: 0 })),
  },
]

/** Hostile bodies of one user, with reads of others meanwhile: memory, and the time that `/healthz` waits. */
export function run(print: Print): Promise<void> {
  return withFolder(async (folder) => {
    seed(folder, 100)
    const server = await startBuiltServer(folder, { DAILY_UPLOAD_LIMIT: '1000' })
    try {
      const key = await createKey(`http://127.0.0.1:${server.port}`)
      const memory = () =>
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1_024
      await probed(server.port, () => pause(2_000))
      const start = memory()
      print(`bodies: ${start.toFixed(0)} MB at the start`)
      for (const attack of attacks) {
        const body = await attack.body()
        let peak = 0
        const watch = setInterval(() => (peak = Math.max(peak, memory())), 10)
        const { result, times } = await probed(server.port, () => sendAll(server.port, key, attack, body))
        clearInterval(watch)
        print(
          `bodies: ${attack.name.padEnd(24)} ${(peak - start).toFixed(0).padStart(4)} MB above the start; /healthz p99 ${percentile(times, 0.99).toFixed(0)} ms (at most 200), longest ${Math.max(...times).toFixed(0)} ms; ${result}`,
        )
      }
      await pause(60_000)
      print(`bodies: ${(memory() - start).toFixed(0)} MB above the start after a minute (at most 50)`)
    } finally {
      await server.stop()
    }
  })
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
  const sent = Array.from({ length: count }, () => {
    const sending = request({ host: '127.0.0.1', port, path: pathname, method: 'POST', headers })
    if (isHalfSent) sending.write(body.subarray(0, body.length - 1_000))
    else sending.end(body)
    return { sending, status: statusOf(sending) }
  })
  if (isHalfSent) {
    await pause(5_000)
    for (const { sending } of sent) sending.destroy()
  }
  const statuses = await Promise.all(sent.map(({ status }) => status))
  return [...new Set(statuses)].join(', ')
}

function statusOf(sending: ReturnType<typeof request>): Promise<string> {
  return new Promise((resolve) => {
    sending.once('error', () => resolve('closed'))
    sending.once('response', (response) =>
      response.resume().once('close', () => resolve(String(response.statusCode))),
    )
  })
}

/** Signs up, and returns an API key. */
async function createKey(origin: string): Promise<string> {
  const post = async (pathname: string, body: object, cookie = '') => {
    const headers = { origin, cookie, 'content-type': 'application/json' }
    const response = await fetch(origin + pathname, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${pathname} responded ${response.status}.`)
    return response
  }
  const account = { name: 'Asha', email: 'asha@example.org', password: 'a password of a benchmark' }
  const signedUp = await post('/api/auth/sign-up/email', account)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const created = await post('/trpc/account.apiKeys.create', { name: 'A program' }, cookie)
  const { result } = (await created.json()) as { result: { data: { key: string } } }
  return result.data.key
}

function repeated(pattern: readonly number[], bytes: number): Buffer {
  const file = Buffer.alloc(bytes, Buffer.from(pattern))
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
