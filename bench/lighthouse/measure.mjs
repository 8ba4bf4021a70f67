/**
 * Opens each address with Lighthouse's mobile preset, in turns, and prints a line of JSON for each time:
 * `node measure.mjs TIMES ADDRESS…`.
 */
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'

const [times, ...addresses] = process.argv.slice(2)
const flags =
  '--headless --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'
const chrome = await launch({
  chromeFlags: [...flags.split(' '), ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})
try {
  for (let time = 0; time < Number(times); time += 1) {
    for (const address of addresses) process.stdout.write(`${JSON.stringify(await measure(address))}\n`)
  }
} finally {
  chrome.kill()
}

/** @param {string} address */
async function measure(address) {
  const result = await lighthouse(address, { port: chrome.port, output: 'json', logLevel: 'error' })
  if (!result) throw new Error(`Lighthouse said nothing of ${address}.`)
  const { audits, categories } = result.lhr
  const score = (/** @type {string} */ name) => Math.round((categories[name]?.score ?? 0) * 100)
  const value = (/** @type {string} */ name) => audits[name]?.numericValue
  const fcp = value('first-contentful-paint') ?? NaN
  /** @type {{ startTime: number, duration: number }[]} */
  const tasks = Object(audits['long-tasks']?.details).items ?? []
  return {
    address,
    fcp,
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    longest: Math.max(0, ...tasks.filter(({ startTime }) => startTime > fcp).map(({ duration }) => duration)),
    cls: value('cumulative-layout-shift'),
    scores: ['performance', 'accessibility', 'best-practices', 'seo'].map(score),
  }
}
