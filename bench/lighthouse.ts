import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { chromium, type Page } from 'playwright-core'
import { findTestBrowser } from '../e2e/support/find-chromium.ts'
import { emptyFolder, seed, startServer } from './built-server.ts'
import { median, serveApp, type Print } from './measure.ts'

const tool = path.join(import.meta.dirname, 'lighthouse')
const posts = 24

/** What Lighthouse measures on the phone that it simulates, in milliseconds; scores for performance, accessibility, best practices, SEO. */
type Measured = Readonly<Record<'fcp' | 'lcp' | 'tbt' | 'longest' | 'cls', number>> & {
  readonly address: string
  readonly scores: readonly number[]
}

/** Pages as a phone loads them, by Lighthouse, compared with their static copies; the weight of their scripts; and the way between them. */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  if (!existsSync(path.join(tool, 'node_modules'))) {
    print('lighthouse: installing Lighthouse')
    execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: tool, stdio: 'inherit' })
  }
  await using folder = await emptyFolder()
  seed(folder.path, posts)
  await using server = await startServer(folder.path)
  const ours = `http://127.0.0.1:${server.port}`
  using still = await serveStill(ours)
  const post = /\/posts\/[\w-]+/.exec(await (await fetch(ours)).text())?.[0] ?? ''
  const origins = [ours, `http://127.0.0.1:${still.port}`]
  const addresses = ['/', post].map((page) => origins.map((origin) => origin + page))
  const browserPath = findTestBrowser(print)
  const measured = await measure(browserPath, isQuick ? 1 : 5, addresses.flat())
  for (const [index, [our = '', copy = '']] of addresses.entries()) {
    const of = (address: string, figure: (one: Measured) => number) =>
      median(measured.filter((one) => one.address === address).map(figure))
    const ratio = (figure: 'fcp' | 'lcp') => {
      const [time, least] = [of(our, (one) => one[figure]), of(copy, (one) => one[figure])]
      return `${figure.toUpperCase()} ${time.toFixed(0)} ms, ${(time / least).toFixed(2)} × its static copy (at most 1.05)`
    }
    const scoresOf = (address: string) => [0, 1, 2, 3].map((at) => of(address, (one) => one.scores[at] ?? 0))
    const blocking = [of(our, ({ tbt }) => tbt), of(our, ({ longest }) => longest)].map(Math.round)
    for (const line of [
      ratio('fcp'),
      ratio('lcp'),
      `blocking time, longest task ${blocking.join(', ')} ms (at most 50 each)`,
      `scores ${scoresOf(our).join(', ')}, those of the copy ${scoresOf(copy).join(', ')}`,
      `layout shift ${of(our, ({ cls }) => cls).toFixed(4)} (at most 0)`,
    ])
      print(`lighthouse: ${['/', 'post'][index]} ${line}`)
  }
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  await weighAndClick(page, ours, post, print)
  await browser.close()
}

async function measure(
  browserPath: string,
  times: number,
  addresses: readonly string[],
): Promise<Measured[]> {
  const options = { cwd: tool, env: { ...process.env, CHROME_PATH: browserPath } }
  const args = ['measure.mjs', String(times), ...addresses]
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return Array.from(stdout.trim().split('\n'), (line) => JSON.parse(line) as Measured)
}

/** Prints the weight of scripts, and the time from a click to the first paint of the next page. */
async function weighAndClick(page: Page, origin: string, post: string, print: Print): Promise<void> {
  for (const [name, address, most] of [
    ['/', '/', 75],
    ['post', post, 80],
  ] as const) {
    await page.goto(origin + address, { waitUntil: 'networkidle' })
    const named = (await page.locator('script[data-files]').getAttribute('data-files'))?.split(' ') ?? []
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => entry.name),
    )
    const scripts = loaded.filter((url) => url.endsWith('.js'))
    const [inHtml, all] = [await kibibytes(named.map((file) => origin + file)), await kibibytes(scripts)]
    print(
      `lighthouse: ${name} scripts named in the HTML ${inHtml} KiB (at most ${most}), all ${all} KiB (at most 115)`,
    )
  }
  const toGallery = await clickTime(page, 'header a[href="/"]', 'main li')
  const toPost = await clickTime(page, `main a[href="${post}"]`, '[role=dialog]')
  const times = `gallery to post ${toPost.toFixed(0)} ms, post to gallery ${toGallery.toFixed(0)} ms`
  print(`lighthouse: by a click, ${times} (at most 100)`)
}

/** Returns the size of files as gzip, in KiB. */
async function kibibytes(addresses: readonly string[]): Promise<string> {
  const bytes = addresses.map(async (url) => gzipSync(await (await fetch(url)).bytes()).byteLength)
  return ((await Promise.all(bytes)).reduce((sum, size) => sum + size, 0) / 1_024).toFixed(0)
}

/** Returns the milliseconds from a click on a link, after the pointer has rested on it, until an element is painted. */
async function clickTime(page: Page, link: string, shown: string): Promise<number> {
  // Scripts start when the pointer moves; its first event only sets its position.
  await page.mouse.move(1, 1)
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
