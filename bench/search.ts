import SqliteDatabase from 'better-sqlite3'
import { encodeCursor } from '../server/db/pagination.ts'
import { residentMegabytes, seededGallery, startBuiltServer, type BuiltServer } from './built-server.ts'
import { ask as askServer, listPath, median, percentile, type Print } from './measure.ts'
import { longTerms, shortTerms } from './search-terms.ts'

const small = 1_000
const pairs = 150
const atOnce = 4
const mixAtOnce = 16
/** Only every nth term is scanned for, as a scan is slow and takes equally long for any term. */
const scannedEach = 4

type Ask = (address: string) => Promise<number>

/**
 * Searches, totals and pages of a large gallery by HTTP, compared with a LIKE scan of the same text and with a small
 * gallery. Each term is searched for the first time since the server started, when no total is cached.
 */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  const posts = isQuick ? 100_000 : 1_000_000
  const large = seededGallery(posts, print)
  const little = seededGallery(small, print)
  // Before connections are opened, as it blocks this process.
  const scan = percentile(scans(large.file, [...longTerms, ...shortTerms]), 0.95)
  const ours = await startBuiltServer(large.folder)
  const smaller = await startBuiltServer(little.folder)
  try {
    const ask: Ask = (address) => askServer(ours.port, address)
    print(`search: ${posts.toLocaleString('en')} posts`)
    await terms(ask, scan, print)
    await pages(ask, (address) => askServer(smaller.port, address), posts, print)
    await memory(ask, ours, posts, isQuick ? 15_000 : 60_000, print)
  } finally {
    await ours.stop()
    await smaller.stop()
  }
}

async function terms(ask: Ask, scan: number, print: Print): Promise<void> {
  for (let round = 0; round < 20; round += 1) await ask('/')
  const idle: number[] = []
  for (let round = 0; round < pairs; round += 1) idle.push(await ask('/'))

  const totals = await each(longTerms, (search) => ask(listPath({ search })))
  const found = await each(longTerms, (search) => ask(listPath({ search, limit: 23 })))
  const short = await each(
    shortTerms.filter((_, index) => index % 2 === 0),
    (search) => ask(listPath({ search })),
  )
  const meanwhile = await visits(
    ask,
    shortTerms.filter((_, index) => index % 2 === 1),
  )

  const against = (figures: readonly number[], atMost: number) => {
    const p95 = percentile(figures, 0.95)
    return `p95 ${p95.toFixed(1)} ms, median ${median(figures).toFixed(1)} ms; of the scan ${(p95 / scan).toFixed(2)} (at most ${atMost})`
  }
  print(`search: a scan with LIKE                     p95 ${scan.toFixed(1)} ms`)
  print(`search: 3 characters and more, page          ${against(found, 0.1)}`)
  print(`search: the same, with an unknown total      ${against(totals, 0.5)}`)
  print(`search: 1 and 2 characters, unknown total    ${against(short, 0.5)}`)
  const [calm, busy] = [percentile(idle, 0.95), percentile(meanwhile, 0.95)]
  print(
    `search: / meanwhile, p95                     ${busy.toFixed(1)} ms, idle ${calm.toFixed(1)} ms (at most ${Math.max(2 * calm, calm + 20).toFixed(1)})`,
  )
}

async function each<Item>(
  items: readonly Item[],
  measure: (item: Item) => Promise<number>,
): Promise<number[]> {
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
      await ask(listPath({ search: term, limit: 22 }))
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

/** Pages of both galleries in turn, of different addresses, so that no response is cached. */
async function pages(askLarge: Ask, askSmall: Ask, posts: number, print: Print): Promise<void> {
  const cursor = (seq: number) => encodeCursor('post', seq)
  const inputs: Record<string, (round: number) => readonly [large: object, small: object]> = {
    'first page': (round) => [{ limit: 20 + round }, { limit: 20 + round }],
    'deep page': (round) => [
      { cursor: cursor(Math.floor(posts / 2) - round * 100) },
      { cursor: cursor(Math.floor(small / 2) - round) },
    ],
  }
  for (const [name, inputsOf] of Object.entries(inputs)) {
    const [large, little]: [number[], number[]] = [[], []]
    for (let round = 0; round < pairs; round += 1) {
      const [ofLarge, ofSmall] = inputsOf(round)
      large.push(await askLarge(listPath(ofLarge)))
      little.push(await askSmall(listPath(ofSmall)))
    }
    const ratio = median(large) / median(little)
    print(
      `search: ${name.padEnd(37)}median ${median(large).toFixed(2)} ms, of ${small} posts ${median(little).toFixed(2)} ms; ratio ${ratio.toFixed(2)} (at most 1.3)`,
    )
  }
}

/** Memory after reads of all kinds, and those that failed: a wrong status, or a response that ends early. */
async function memory(
  ask: Ask,
  server: BuiltServer,
  posts: number,
  milliseconds: number,
  print: Print,
): Promise<void> {
  const end = performance.now() + milliseconds
  let [asked, failed] = [0, 0]
  const one = async () => {
    while (performance.now() < end) {
      asked += 1
      const search = [...longTerms, ...shortTerms][asked % (longTerms.length + shortTerms.length)] ?? ''
      const cursor = encodeCursor('post', ((asked * 7_919) % posts) + 1)
      const mix = ['/', listPath({ search }), listPath({ cursor }), `/?q=${encodeURIComponent(search)}`]
      await ask(mix[asked % mix.length] ?? '/').catch(() => (failed += 1))
    }
  }
  await Promise.all(Array.from({ length: mixAtOnce }, one))
  print(
    `search: memory after ${milliseconds / 1_000} s of mixed load      ${residentMegabytes(server).toFixed(0)} MB after ${asked} requests (at most 250), ${failed} of which failed (at most 0)`,
  )
}
