import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pageSize } from '../../shared/limits.ts'
import { seed, startBuiltServer, type BuiltServer } from '../built-server.ts'
import { ask, listPath, loadSeconds, median, requestsPerSecond, type Print } from '../measure.ts'

const atLeast = 0.97
const token = 'the-service-token-of-the-benchmark'
const settings = { API_TOKEN: token, DAILY_IMAGE_LIMIT: '1000000' }

/**
 * A site on SQLite and a folder, compared with an older version of the project: `BENCH_BASELINE` is the folder of its
 * sources, with its dependencies in node_modules/.
 */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  const baseline = process.env['BENCH_BASELINE']
  if (baseline === undefined)
    return print('scale: set BENCH_BASELINE to a folder with an older version to compare the default with it')
  const rounds = isQuick ? 3 : 15
  const checkouts = { now: undefined, before: path.resolve(baseline) }
  const folders = { now: await makeFolder(), before: await makeFolder() }
  const start = (version: Version) => startBuiltServer(folders[version], settings, checkouts[version])
  for (const version of versions) seed(folders[version], pageSize + 1, {}, checkouts[version])

  try {
    await compare(print, 'a start', rounds, async (version) => {
      const startedAt = performance.now()
      const server = await start(version)
      const cost = { count: 1, ms: performance.now() - startedAt, processorMs: processorMs(server) }
      await server.stop()
      return cost
    })
    const servers = { now: await start('now'), before: await start('before') }
    const measured =
      (work: (server: BuiltServer, round: number) => Promise<number>) =>
      async (version: Version, round: number): Promise<Cost> => {
        const server = servers[version]
        const [startedAt, before] = [performance.now(), processorMs(server)]
        const count = await work(server, round)
        return { count, ms: performance.now() - startedAt, processorMs: processorMs(server) - before }
      }
    try {
      for (const address of ['/', '/trpc/posts.list']) {
        const request = async ({ port }: BuiltServer) =>
          (await requestsPerSecond(port, address)) * loadSeconds
        await compare(print, `a request of ${address}`, rounds, measured(request))
      }
      await compare(print, 'a list that is not cached', rounds, measured(readLists))
      await compare(print, 'a generation', rounds, measured(generate))
    } finally {
      for (const version of versions) await servers[version].stop()
    }
  } finally {
    for (const version of versions) await rm(folders[version], { recursive: true, force: true })
  }
}

const versions = ['now', 'before'] as const
type Version = (typeof versions)[number]

function makeFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'rangoli-bench-'))
}

interface Cost {
  /** Pieces of work. */
  readonly count: number
  readonly ms: number
  /** Time of the processors that the server used, which depends less on other programs. */
  readonly processorMs: number
}

/** Returns the time of the processors that a server has used so far. */
function processorMs({ pid }: BuiltServer): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  // Time of the process and of the system for it, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Measures both versions in turn, each first in every second round, and prints the median ratios of their speeds. */
async function compare(
  print: Print,
  name: string,
  rounds: number,
  measure: (version: Version, round: number) => Promise<Cost>,
): Promise<void> {
  const costs = { now: [] as Cost[], before: [] as Cost[] }
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const version of round % 2 === 0 ? versions : versions.toReversed()) {
      const cost = await measure(version, round)
      if (round > 0) costs[version].push(cost)
    }
  }
  const figures = (['ms', 'processorMs'] as const).map((time) => {
    const [now, before] = [costs.now, costs.before].map((of) => of.map((cost) => cost[time] / cost.count))
    const ratio = median((now ?? []).map((one, index) => (before?.[index] ?? NaN) / one))
    return `${median(now ?? []).toFixed(2)} ms, before ${median(before ?? []).toFixed(2)}; ratio ${ratio.toFixed(2)}`
  })
  print(`scale: default, ${name}: ${figures[0]} (at least ${atLeast}); of the processors ${figures[1]}`)
}

/** Each list has a search of its own, so that no response is cached. */
async function readLists({ port }: BuiltServer, round: number): Promise<number> {
  const lists = 200
  for (let index = 0; index < lists; index += 1) {
    await ask(port, listPath({ limit: 24, search: `a${round} ${index}` }))
  }
  return lists
}

/** Generates patterns through REST, which answers when an image is stored. */
async function generate({ port }: BuiltServer, round: number): Promise<number> {
  const images = 3
  for (let index = 0; index < images; index += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/imgGenerate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ prompt: `Lotus ${index} of round ${round}` }),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`A generation responded ${response.status}.`)
  }
  return images
}
