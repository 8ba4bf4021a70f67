import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sharp, { type Sharp } from 'sharp'
import { residentMegabytes, runCommand, seed, startBuiltServer, withFolder } from './built-server.ts'
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

const plain = (channels: 3 | 4, side = 6_300) =>
  sharp({ create: { width: side, height: side, channels, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })

const hostileImage = (name: string, create: () => Sharp): Attack => ({
  ...upload,
  name,
  isImage: true,
  count: 2,
  body: () => create().toBuffer(),
})

const attacks: readonly Attack[] = [
  { name: 'empty segments', ...upload, count: 4, body: () => repeated([0xff, 0xe1, 0, 0]) },
  { name: 'segments in a form', ...form, count: 3, body: () => inForm(repeated([0xff, 0xe1, 0, 2])) },
  {
    name: '80 half-sent uploads',
    ...upload,
    count: 80,
    body: () => Buffer.alloc(20 * megabyte),
    isHalfSent: true,
  },
  {
    name: 'a photo in JSON',
    ...photo,
    count: 4,
    body: () => json(Buffer.alloc(19 * megabyte, 7).toString('base64')),
  },
  { name: 'escapes in JSON', ...photo, count: 4, body: () => json('\\u0041'.repeat(4_000_000)) },
  { name: '2 million keys', ...photo, count: 4, body: () => Buffer.from(`{${keys(2_000_000)}}`) },
  {
    name: 'tiny parts',
    ...form,
    count: 4,
    body: () => Buffer.from('--xyz\r\n\r\n\r\n'.repeat(2_000_000)),
  },
  hostileImage('PNG, interlaced, 16 bits', () => plain(4).toColourspace('rgb16').png({ progressive: true })),
  hostileImage('JPEG, progressive', () => plain(3).jpeg({ progressive: true })),
  hostileImage('JPEG, to be rotated', () => plain(3).withMetadata({ orientation: 6 }).jpeg()),
  hostileImage('WebP', () => plain(4, 4_850).webp({ lossless: true, effort: 0 })),
]

/**
 * Hostile bodies of one user, with reads of others meanwhile: memory, pauses of the event loop, and the time that `/healthz`
 * waits. All bodies meet one server, and each image another one.
 */
export async function run(print: Print, { isQuick }: { readonly isQuick: boolean }): Promise<void> {
  const images = attacks.filter(({ isImage }) => isImage)
  const others = attacks.filter(({ isImage }) => !isImage)
  for (const group of [others, ...images.map((image) => [image])]) await measure(print, group, isQuick)
}

function measure(print: Print, group: readonly Attack[], isQuick: boolean): Promise<void> {
  return withFolder(async (folder) => {
    seed(folder, 100)
    const pauses = path.join(folder, 'pauses')
    const server = await startBuiltServer(folder, {
      DAILY_UPLOAD_LIMIT: '1000',
      LOG_LEVEL: 'error',
      LOOP_PAUSES: pauses,
      NODE_OPTIONS: `--import ${path.join(import.meta.dirname, 'loop-pauses.mjs')}`,
    })
    const longestPause = async () => {
      rmSync(pauses, { force: true })
      process.kill(server.pid, 'SIGUSR2')
      while (!existsSync(pauses) || readFileSync(pauses, 'utf8') === '') await pause(10)
      return Number(readFileSync(pauses, 'utf8'))
    }
    try {
      runCommand(folder, ['account', 'add', email])
      const key = runCommand(folder, ['account', 'add-key', email]).trim().split('\n').at(-1) ?? ''
      const memory = () => residentMegabytes(server)
      await probed(server.port, () => pause(2_000))
      const start = memory()
      for (const attack of group) {
        const { name, isImage } = attack
        const body = await attack.body()
        let peak = start
        await longestPause()
        const watch = setInterval(() => (peak = Math.max(peak, memory())), 10)
        const { result, times } = await probed(server.port, () => sendAll(server.port, key, attack, body))
        clearInterval(watch)
        const above = (peak - start).toFixed(0).padStart(3)
        const paused = (await longestPause()).toFixed(0).padStart(3)
        const waited = percentile(times, 0.99).toFixed(0).padStart(3)
        print(
          `bodies: ${name.padEnd(24)} ${above} MB above the start${isImage ? ' (at most 250)' : ''}; longest pause ${paused} ms (at most 100); /healthz p99 ${waited} ms (at most 200); ${result}`,
        )
      }
      if (!isQuick) await pause(60_000)
      print(
        `bodies: ${(memory() - start).toFixed(0)} MB above the start ${isQuick ? 'then' : 'after a minute (at most 50)'}`,
      )
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
