import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pageSize } from '../../shared/limits.ts'
import { seed, startBuiltServer, type BuiltServer } from '../built-server.ts'
import { median, requestsPerSecond } from '../measure.ts'

const atLeast = 0.97
const token = 'the-service-token-of-the-benchmark'
const settings = { API_TOKEN: token, DAILY_IMAGE_LIMIT: '1000000' }

/**
 * A site on SQLite and a folder, compared with an older version of the project: `BENCH_BASELINE` is the folder of its
 * sources, with its dependencies in node_modules/.
 */
export async function run(print: (line: string) => void, { isQuick }: { isQuick: boolean }): Promise<void> {
  const baseline = process.env['BENCH_BASELINE']
  if (baseline === undefined)
    return print('scale: set BENCH_BASELINE to a folder with an older version to compare the default with it')
  const rounds = isQuick ? 3 : 15
  const checkouts = { now: undefined, before: path.resolve(baseline) }
  const folders = { now: await makeFolder(), before: await makeFolder() }
  const start = (version: Version) => startBuiltServer(folders[version], settings, checkouts[version])
  for (const version of versions) seed(folders[version], pageSize + 1, {}, checkouts[version])

  try {
    await compare(print, 'starts', rounds, async (version) => {
      const startedAt = performance.now()
      const server = await start(version)
      const time = performance.now() - startedAt
      await server.stop()
      return 1_000 / time
    })
    const servers = { now: await start('now'), before: await start('before') }
    try {
      for (const address of ['/', '/trpc/posts.list']) {
        await compare(print, `requests of ${address}`, rounds, (version) =>
          requestsPerSecond(servers[version].port, address),
        )
      }
      await compare(print, 'lists that are not cached', rounds, (version, round) =>
        listsPerSecond(servers[version], round),
      )
      await compare(print, 'generations', 2 * rounds, (version, round) => generate(servers[version], round))
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

/** Measures both versions in turn, each first in every second round, and prints the median ratio of rates per second. */
async function compare(
  print: (line: string) => void,
  name: string,
  rounds: number,
  measure: (version: Version, round: number) => Promise<number>,
): Promise<void> {
  const rates = { now: [] as number[], before: [] as number[] }
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const version of round % 2 === 0 ? versions : versions.toReversed()) {
      const rate = await measure(version, round)
      if (round > 0) rates[version].push(rate)
    }
  }
  const ratio = median(rates.now.map((rate, index) => rate / (rates.before[index] ?? NaN)))
  print(
    `scale: default, ${name} per second: ${median(rates.now).toFixed(1)}, before ${median(rates.before).toFixed(1)}; ratio, median of ${rounds} pairs ${ratio.toFixed(2)} (at least ${atLeast})`,
  )
}

/** Each list has a limit or search of its own, so that no response is cached. */
async function listsPerSecond({ port }: BuiltServer, round: number): Promise<number> {
  const lists = 100
  const start = performance.now()
  for (let index = 0; index < lists; index += 1) {
    const input = encodeURIComponent(JSON.stringify({ limit: 24, search: `a${round} ${index}` }))
    const response = await fetch(`http://127.0.0.1:${port}/trpc/posts.list?input=${input}`)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`A list responded ${response.status}.`)
  }
  return (lists * 1_000) / (performance.now() - start)
}

/** Generates a pattern through REST, which answers when the image is stored. */
async function generate({ port }: BuiltServer, round: number): Promise<number> {
  const start = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/imgGenerate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ prompt: `A lotus of round ${round}` }),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`A generation responded ${response.status}.`)
  return 1_000 / (performance.now() - start)
}
