import { setTimeout as pause } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { encodeCursor } from '../server/db/pagination.ts'
import { residentMegabytes, seededGallery, startServer } from './built-server.ts'
import { ask as askServer, compare, median, percentile, queryPath, type Print } from './measure.ts'
import searchTerms from './prompts/search-terms.json' with { type: 'json' }

/**
 * Names, words, places, parts of them and sentences; and, of one and two characters, every letter, beginnings of words, and whole
 * words.
 */
const { long: longTerms, short: shortTerms } = searchTerms

const small = 1_000
const pairs = 150
const atOnce = 4
const mixAtOnce = 16
/** Only every nth term is scanned for, as a scan is slow and takes equally long for any term. */
const scannedEach = 4

type Ask = (address: string) => Promise<number>
type Report = (what: string, figures: string) => void

/**
 * Searches, totals and pages of a large gallery by HTTP, compared with a LIKE scan of the same text and with a small
 * gallery. Each term is searched for the first time since the server started, when no total is cached.
 */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  const posts = isQuick ? 100_000 : 1_000_000
  const large = seededGallery(posts, print)
  const little = seededGallery(small, print)
  const report: Report = (what, figures) => print(`search: ${what.padEnd(37)} ${figures}`)
  // Before connections are opened, as it blocks this process.
  const scan = percentile(scans(large.file, [...longTerms, ...shortTerms]), 0.95)
  await using server = await startServer(large.folder)
  await using littleServer = await startServer(little.folder)
  const ask: Ask = (address) => askServer(server.port, address)
  report('posts', posts.toLocaleString('en'))
  await wordsCounted(large.file)
  await similar(ask, large.file, report)
  await terms(ask, scan, report)
  await pages(ask, (address) => askServer(littleServer.port, address), posts, report)
  const seconds = isQuick ? 15 : 60
  const { asked, failed } = await mixedLoad(ask, posts, seconds * 1_000)
  const memory = `${residentMegabytes(server).toFixed(0)} MB after ${asked} requests (at most 250)`
  report(`memory after ${seconds} s of mixed load`, `${memory}, ${failed} of which failed (at most 0)`)
}

async function terms(ask: Ask, scan: number, report: Report): Promise<void> {
  const [odd, even] = [1, 0].map((rest) => shortTerms.filter((_, index) => index % 2 === rest))
  for (let round = 0; round < 20; round += 1) await ask('/')
  const idle = percentile(await each(Array<string>(pairs).fill('/'), ask), 0.95)
  const totals = await each(longTerms, (search) => ask(queryPath({ search })))
  const found = await each(longTerms, (search) => ask(queryPath({ search, limit: 23 })))
  const short = await each(even ?? [], (search) => ask(queryPath({ search })))
  const busy = percentile(await visits(ask, odd ?? []), 0.95)

  const against = (figures: readonly number[], atMost: number) => {
    const p95 = percentile(figures, 0.95)
    return `p95 ${p95.toFixed(1)} ms, median ${median(figures).toFixed(1)} ms; of the scan ${(p95 / scan).toFixed(2)} (at most ${atMost})`
  }
  report('a scan with LIKE', `p95 ${scan.toFixed(1)} ms`)
  report('3 characters and more, page', against(found, 0.1))
  report('the same, with an unknown total', against(totals, 0.5))
  report('1 and 2 characters, unknown total', against(short, 0.5))
  const most = Math.max(2 * idle, idle + 20)
  report('/ meanwhile, p95', `${busy.toFixed(1)} ms, idle ${idle.toFixed(1)} ms (at most ${most.toFixed(1)})`)
}

async function each(items: readonly string[], measure: (item: string) => Promise<number>): Promise<number[]> {
  const figures: number[] = []
  for (const item of items) figures.push(await measure(item))
  return figures
}

/** Response time of `/` during concurrent searches for new terms. */
async function visits(ask: Ask, searches: readonly string[]): Promise<number[]> {
  const figures: number[] = []
  const waiting = [...searches]
  const search = async () => {
    for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
      await ask(queryPath({ search: term, limit: 22 }))
    }
  }
  const visit = async () => {
    while (waiting.length > 0) figures.push(await ask('/'))
  }
  await Promise.all([visit(), ...Array.from({ length: atOnce }, search)])
  return figures
}

/** The same searches without an index, in this process and without HTTP. */
function scans(file: string, searches: readonly string[]): number[] {
  const db = new SqliteDatabase(file, { readonly: true })
  const count = db.prepare('SELECT count(*) FROM posts WHERE search_text LIKE ?')
  const figures = searches
    .filter((_, index) => index % scannedEach === 0)
    .map((term) => {
      const start = performance.now()
      count.get(`%${term.toLowerCase()}%`)
      return performance.now() - start
    })
  db.close()
  return figures
}

/** Waits until the server has counted the words of all posts, which takes minutes once. */
async function wordsCounted(file: string): Promise<void> {
  const db = new SqliteDatabase(file, { readonly: true })
  const waiting = db.prepare('SELECT 1 FROM word_changes LIMIT 1')
  while (waiting.get() !== undefined) await pause(1_000)
  db.close()
}

/** Similar posts of posts from all over the gallery. */
async function similar(ask: Ask, file: string, report: Report): Promise<void> {
  const db = new SqliteDatabase(file, { readonly: true })
  const ids = db.prepare('SELECT id FROM posts ORDER BY id LIMIT ?').pluck().all(pairs) as string[]
  db.close()
  const figures = await each(ids, (id) => ask(queryPath({ id }, 'posts.similar')))
  report(
    'similar posts',
    `p95 ${percentile(figures, 0.95).toFixed(1)} ms, median ${median(figures).toFixed(1)} ms (at most 25)`,
  )
}

/** Pages of both galleries in turn, of different addresses, so that no response is cached. */
async function pages(askLarge: Ask, askSmall: Ask, posts: number, report: Report): Promise<void> {
  const middle = (count: number, back: number) => encodeCursor('post', Math.floor(count / 2) - back)
  const first = (round: number) => ({ limit: 20 + round })
  const inputs = {
    'first page': [first, first],
    'deep page': [
      (round: number) => ({ cursor: middle(posts, round * 100) }),
      (round: number) => ({ cursor: middle(small, round) }),
    ],
  } as const
  for (const [name, [ofLarge, ofSmall]] of Object.entries(inputs)) {
    const { ours, other, ratio } = await compare(
      pairs,
      (round) => askLarge(queryPath(ofLarge(round))),
      (round) => askSmall(queryPath(ofSmall(round))),
    )
    const medians = `median ${ours.toFixed(2)} ms, of ${small} posts ${other.toFixed(2)} ms`
    report(name, `${medians}; ratio, median of pairs ${ratio.toFixed(2)} (at most 1.3)`)
  }
}

/** Reads of all kinds, and those that failed: a wrong status, or a response that ends early. */
async function mixedLoad(ask: Ask, posts: number, milliseconds: number) {
  const end = performance.now() + milliseconds
  const all = [...longTerms, ...shortTerms]
  let [asked, failed] = [0, 0]
  const one = async () => {
    while (performance.now() < end) {
      asked += 1
      const search = all[asked % all.length] ?? ''
      const cursor = encodeCursor('post', ((asked * 7_919) % posts) + 1)
      const mix = ['/', queryPath({ search }), queryPath({ cursor }), `/?q=${encodeURIComponent(search)}`]
      await ask(mix[asked % mix.length] ?? '/').catch(() => (failed += 1))
    }
  }
  await Promise.all(Array.from({ length: mixAtOnce }, one))
  return { asked, failed }
}
