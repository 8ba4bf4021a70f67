import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { chromium, type Page } from 'playwright-core'
import { findTestBrowser } from '../e2e/support/find-chromium.ts'
import { seed, startBuiltServer, withFolder } from './built-server.ts'
import { median, serveApp, type Print } from './measure.ts'

const tool = path.join(import.meta.dirname, 'lighthouse')
const posts = 24

/** What Lighthouse measures on the phone that it simulates. Times are in milliseconds. */
interface Measured {
  readonly address: string
  readonly fcp: number
  readonly lcp: number
  readonly tbt: number
  readonly longest: number
  readonly cls: number
  /** Performance, accessibility, best practices, SEO. */
  readonly scores: readonly number[]
}

/** Pages as a phone loads them, by Lighthouse, compared with their static copies; the weight of their scripts; and the way between them. */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  if (!existsSync(path.join(tool, 'node_modules'))) {
    print('lighthouse: installing Lighthouse')
    execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: tool, stdio: 'inherit' })
  }
  await withFolder(async (folder) => {
    seed(folder, posts)
    const server = await startBuiltServer(folder)
    const ours = `http://127.0.0.1:${server.port}`
    const still = await serveStill(ours)
    try {
      const post = /\/posts\/[\w-]+/.exec(await (await fetch(ours)).text())?.[0] ?? ''
      const origins = [ours, `http://127.0.0.1:${still.port}`]
      const addresses = ['/', post].map((page) => origins.map((origin) => origin + page))
      const measured = await measure(isQuick ? 1 : 5, addresses.flat())
      for (const [index, [our = '', copy = '']] of addresses.entries()) {
        const page = ['/', 'post'][index]
        const of = (address: string, figure: (one: Measured) => number) =>
          median(measured.filter((one) => one.address === address).map(figure))
        const ratio = (figure: (one: Measured) => number) =>
          `${of(our, figure).toFixed(0)} ms, ${(of(our, figure) / of(copy, figure)).toFixed(2)} × its static copy`
        print(`lighthouse: ${page} FCP ${ratio(({ fcp }) => fcp)} (at most 1.05)`)
        print(`lighthouse: ${page} LCP ${ratio(({ lcp }) => lcp)} (at most 1.05)`)
        const blocking = [of(our, ({ tbt }) => tbt), of(our, ({ longest }) => longest)]
        print(
          `lighthouse: ${page} blocking time, longest task ${blocking.map(Math.round).join(', ')} ms (at most 50 each)`,
        )
        const scores = [0, 1, 2, 3].map((at) => of(our, (one) => one.scores[at] ?? 0))
        print(
          `lighthouse: ${page} scores ${scores.join(', ')}, those of the copy ${[0, 1, 2, 3].map((at) => of(copy, (one) => one.scores[at] ?? 0)).join(', ')}`,
        )
        print(`lighthouse: ${page} layout shift ${of(our, ({ cls }) => cls).toFixed(4)} (at most 0)`)
      }
      await weighAndClick(ours, post, print)
    } finally {
      still.stop()
      await server.stop()
    }
  })
}

async function measure(times: number, addresses: readonly string[]): Promise<Measured[]> {
  const args = ['measure.mjs', String(times), ...addresses]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: tool })
  const lines = stdout.trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Measured)
}

/** Prints the weight of scripts, and the time from a click to the first paint of the next page. */
async function weighAndClick(origin: string, post: string, print: Print): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findTestBrowser(print),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await browser.newPage({ reducedMotion: 'reduce' })
    const limits = { '/': 75, [post]: 80 }
    for (const [address, limit] of Object.entries(limits)) {
      const loaded: Promise<number>[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('.js'))
          loaded.push(response.body().then((body) => gzipSync(body).byteLength / 1_024))
      })
      await page.goto(origin + address, { waitUntil: 'networkidle' })
      const files = (await page.locator('script[data-files]').getAttribute('data-files'))?.split(' ') ?? []
      const named = files.map(
        async (file) => gzipSync(await (await fetch(origin + file)).bytes()).byteLength / 1_024,
      )
      const [all, inHtml] = await Promise.all([sum(loaded), sum(named)])
      const name = address === post ? 'post' : address
      print(
        `lighthouse: ${name} scripts named in the HTML ${inHtml.toFixed(0)} KiB (at most ${limit}), all ${all.toFixed(0)} KiB (at most 115)`,
      )
      page.removeAllListeners('response')
    }
    const toGallery = await clickTime(page, 'header a[href="/"]', 'main li')
    const toPost = await clickTime(page, `main a[href="${post}"]`, '[role=dialog]')
    print(
      `lighthouse: by a click, gallery to post ${toPost.toFixed(0)} ms, post to gallery ${toGallery.toFixed(0)} ms (at most 100)`,
    )
  } finally {
    await browser.close()
  }
}

async function sum(figures: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(figures)).reduce((total, figure) => total + figure, 0)
}

/** Returns the milliseconds from a click on a link, after the pointer has rested on it, until an element is painted. */
async function clickTime(page: Page, link: string, shown: string): Promise<number> {
  await page.hover(link)
  await page.waitForTimeout(1_000)
  const time = page.evaluate(
    (selector) =>
      new Promise<number>((resolve) => {
        const look = (start: number) =>
          requestAnimationFrame(() =>
            document.querySelector(selector) ? resolve(performance.now() - start) : look(start),
          )
        addEventListener('click', ({ timeStamp }) => look(timeStamp), { once: true, capture: true })
      }),
    shown,
  )
  await page.click(link)
  return time
}

/** Serves pages without their scripts by a minimal server; images and styles come from the real one. */
async function serveStill(ours: string) {
  const kept = new Map<string, Promise<Response>>()

  async function answer(address: string): Promise<Response> {
    const response = await fetch(new URL(address, ours))
    const type = response.headers.get('content-type') ?? 'application/octet-stream'
    const isPage = type.startsWith('text/html')
    const plain = Buffer.from(await response.arrayBuffer())
    const content = isPage ? plain.toString().replaceAll(/<script[^>]*>.*?<\/script>/gs, '') : plain
    const isText = isPage || /\.(css|svg|txt)$/.test(address)
    return new Response(isText ? gzipSync(content) : content, {
      headers: {
        'content-type': type,
        ...(!isPage && { 'cache-control': 'public, max-age=31536000, immutable' }),
        ...(isText && { 'content-encoding': 'gzip' }),
      },
    })
  }

  const app = new Hono().get('*', async ({ req }) => {
    const found = kept.get(req.path) ?? answer(req.path)
    kept.set(req.path, found)
    return (await found).clone()
  })
  return serveApp(app)
}
