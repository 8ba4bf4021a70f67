import { chromium } from 'playwright-core'
import { findTestBrowser } from '../e2e/support/find-chromium.ts'
import { seededGallery, startBuiltServer } from './built-server.ts'
import type { Print } from './measure.ts'

const posts = 10_000

/** Pixels per wheel event, about two screens. */
const turn = 1_500

/** Size of the document and longest task while scrolling through a long gallery. */
export async function run(print: Print): Promise<void> {
  const { folder } = seededGallery(posts, print)
  const server = await startBuiltServer(folder)
  const browser = await chromium.launch({
    executablePath: findTestBrowser(print),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`http://127.0.0.1:${server.port}/`)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor()
    const watch = await page.evaluateHandle(() => {
      const seen = { longest: 0, nodes: 0, last: 0 }
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration)
      }).observe({ type: 'longtask' })
      return seen
    })
    await page.mouse.move(600, 600)
    const start = performance.now()
    let last = 0
    while (last < posts) {
      await page.mouse.wheel(0, turn)
      last = await watch.evaluate((seen) => {
        seen.nodes = Math.max(seen.nodes, document.querySelectorAll('*').length)
        const places = [...document.querySelectorAll('[aria-posinset]')]
        return Number(places.at(-1)?.getAttribute('aria-posinset') ?? 0)
      })
    }
    const { nodes, longest } = await watch.jsonValue()
    const seconds = (performance.now() - start) / 1_000
    print(`scrolling: ${posts.toLocaleString('en')} posts in ${seconds.toFixed(1)} s`)
    print(`scrolling: most elements in the document   ${nodes} (at most 2500)`)
    print(`scrolling: longest task   ${longest === 0 ? 'under 50' : longest.toFixed(0)} ms (at most 50)`)
  } finally {
    await browser.close()
    await server.stop()
  }
}
