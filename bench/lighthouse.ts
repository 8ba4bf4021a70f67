import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { seed, startBuiltServer, withFolder } from './built-server.ts'
import { median, type Print } from './measure.ts'

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
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: tool,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  await withFolder((folder) => compare(folder, isQuick ? 1 : 5, print))
}

async function compare(folder: string, times: number, print: Print): Promise<void> {
  seed(folder, posts)
  const server = await startBuiltServer(folder)
  const ours = `http://127.0.0.1:${server.port}/`
  const still = await serveStill(ours)
  try {
    const limit = `http://127.0.0.1:${(still.address() as AddressInfo).port}/`
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
    still.close()
    await server.stop()
  }
}

async function measure(times: number, addresses: readonly string[]): Promise<Measured[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['measure.mjs', String(times), ...addresses],
    { cwd: tool },
  )
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured)
}

/** Serves the page without its scripts by a minimal server; images and styles come from the real one. */
async function serveStill(ours: string): Promise<Server> {
  const page = await (await fetch(ours)).text()
  const html = gzipSync(page.replace(/<script[^>]*>.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, ''))
  const kept = new Map<string, { type: string; encoding: string | null; body: Buffer }>()
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
      return void response.end(html)
    }
    void pass(request.url ?? '', response)
  })

  async function pass(address: string, response: ServerResponse): Promise<void> {
    const { type, encoding, body } = await answer(address)
    response.writeHead(200, {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      ...(encoding && { 'content-encoding': encoding }),
    })
    response.end(body)
  }

  async function answer(address: string) {
    const found = kept.get(address)
    if (found) return found
    const response = await fetch(new URL(address, ours))
    const plain = Buffer.from(await response.arrayBuffer())
    const isText = /\.(css|svg|txt)$/.test(address)
    const made = {
      type: response.headers.get('content-type') ?? 'application/octet-stream',
      encoding: isText ? 'gzip' : null,
      body: isText ? gzipSync(plain) : plain,
    }
    kept.set(address, made)
    return made
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
