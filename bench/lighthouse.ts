import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { seed, startBuiltServer, withFolder } from './built-server.ts'
import { median, serveApp, type Print } from './measure.ts'

const tool = path.join(import.meta.dirname, 'lighthouse')
const posts = 24

interface Measured {
  readonly address: string
  /** Largest contentful paint in milliseconds, on the phone that Lighthouse simulates. */
  readonly lcp: number
  readonly cls: number
  readonly bytes: number
  /** Performance, accessibility, best practices, SEO. */
  readonly scores: readonly number[]
}

/** Lighthouse on the gallery as a phone, compared with the same page as a file without scripts. */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  if (!existsSync(path.join(tool, 'node_modules'))) {
    print('lighthouse: installing Lighthouse')
    execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: tool, stdio: 'inherit' })
  }
  await withFolder((folder) => compare(folder, isQuick ? 1 : 5, print))
}

async function compare(folder: string, times: number, print: Print): Promise<void> {
  seed(folder, posts)
  const server = await startBuiltServer(folder)
  const ours = `http://127.0.0.1:${server.port}/`
  const still = await serveStill(ours)
  try {
    const limit = `http://127.0.0.1:${still.port}/`
    const measured = await measure(times, [ours, limit])
    const of = (address: string) => measured.filter((one) => one.address === address)
    const lcp = (address: string) => median(of(address).map((one) => one.lcp))
    print(
      `lighthouse: LCP ${lcp(ours).toFixed(0)} ms, of the still page's ${lcp(limit).toFixed(0)} ms ${(lcp(ours) / lcp(limit)).toFixed(2)} (at most 1.15)`,
    )
    const scores = [0, 1, 2, 3].map((index) => median(of(ours).map((one) => one.scores[index] ?? 0)))
    print(
      `lighthouse: performance, accessibility, best practices, SEO ${scores.join(', ')} (at least 99, 100, 100, 100)`,
    )
    const [first] = of(ours)
    print(
      `lighthouse: layout shift ${first?.cls ?? NaN}, ${((first?.bytes ?? NaN) / 1024).toFixed(0)} KB in all`,
    )
  } finally {
    still.stop()
    await server.stop()
  }
}

async function measure(times: number, addresses: readonly string[]): Promise<Measured[]> {
  const args = ['measure.mjs', String(times), ...addresses]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: tool })
  const lines = stdout.trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Measured)
}

/** Serves the page without its scripts by a minimal server; images and styles come from the real one. */
async function serveStill(ours: string) {
  const page = await (await fetch(ours)).text()
  const html = gzipSync(page.replace(/<script[^>]*>.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, ''))
  const kept = new Map<string, Response>()

  async function answer(address: string): Promise<Response> {
    const response = await fetch(new URL(address, ours))
    const plain = Buffer.from(await response.arrayBuffer())
    const isText = /\.(css|svg|txt)$/.test(address)
    return new Response(isText ? gzipSync(plain) : plain, {
      headers: {
        'content-type': response.headers.get('content-type') ?? 'application/octet-stream',
        'cache-control': 'public, max-age=31536000, immutable',
        ...(isText && { 'content-encoding': 'gzip' }),
      },
    })
  }

  const app = new Hono()
    .get('/', () => {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }
      return new Response(html, { headers })
    })
    .get('*', async ({ req }) => {
      const found = kept.get(req.path) ?? (await answer(req.path))
      kept.set(req.path, found)
      return found.clone()
    })
  return serveApp(app)
}
