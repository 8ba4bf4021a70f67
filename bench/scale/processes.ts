import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv, promisify } from 'node:util'
import sharp from 'sharp'
import { startProxy } from '../../e2e/support/proxy-process.ts'
import { signUp, type User } from '../../e2e/support/user.ts'
import {
  completedEvent,
  partialEvent,
  type StreamEvent,
} from '../../test/support/openai/provider-responses.ts'
import { startFakeProvider } from '../../test/support/openai/provider.ts'
import { findFreePorts } from '../../test/support/ports.ts'
import { createTestClient, follow, type TestClient } from '../../test/support/trpc-client.ts'
import { seed, startBuiltServer, withFolder, type BuiltServer } from '../built-server.ts'
import { median, percentile, requestsPerSecond, type Print } from '../measure.ts'
import { withCluster } from './cluster.ts'

const startS3 = path.resolve(import.meta.dirname, '../../test/support/start-s3.sh')
const runFile = promisify(execFile)

const posts = 1_000
const previewsPerImage = 4
const previewPauseMs = 150
const usersAtOnce = 16
const generatingMs = 8_000

type Settings = Record<string, string>

/**
 * Several processes of a site with PostgreSQL and an object storage: the time until the client of one process sees what
 * another one does, and the throughput of one to three processes behind HAProxy. Requires the programs of the fleet test.
 */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  const rounds = isQuick ? 1 : 3
  const provider = await startProvider()
  const work = (folder: string) =>
    withCluster(async (cluster) => {
      await cluster.drop('processes')
      const { stdout } = await runFile(startS3, ['start', folder, String(await findFreePorts(2))])
      const settings = {
        ...(await cluster.settings('processes')),
        ...(parseEnv(stdout) as Settings),
        ...provider.settings,
        TRUST_PROXY: '1',
        DAILY_IMAGE_LIMIT: '1000000',
        // The processors are the limit.
        IMAGE_CONCURRENCY: String(usersAtOnce),
      }
      try {
        seed(folder, posts, settings)
        await watching(folder, settings, provider, rounds, print)
        await throughput(folder, settings, provider, rounds, print)
      } finally {
        await runFile(startS3, ['stop', folder])
      }
      await cluster.drop('processes')
    })
  try {
    await withFolder(work)
  } finally {
    await provider.stop()
  }
}

/** A provider whose images are ready at once, or when the benchmark says so. */
async function startProvider() {
  const image = await noise(1024)
  const open = new Map<string, ServerResponse>()
  let isInstant = true
  const send = (response: ServerResponse, event: StreamEvent) =>
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
  const finish = (response: ServerResponse) => {
    send(response, completedEvent(image))
    response.end()
  }
  const fake = await startFakeProvider(({ request, response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    if (isInstant) finish(response)
    else open.set(String(request.body['prompt']), response)
  })
  return {
    settings: { IMAGE_ENGINE: 'openai', OPENAI_BASE_URL: fake.url, OPENAI_IMAGE_MODEL: 'gpt-image-2' },
    stop: fake.stop,
    setInstant: (value: boolean) => void (isInstant = value),
    /** Waits for the request for a prompt. */
    async take(prompt: string) {
      while (!open.has(prompt)) await pause(5)
      const response = open.get(prompt)
      if (!response) throw new Error('The request has gone.')
      return {
        preview: (bytes: Uint8Array, index: number) => send(response, partialEvent(bytes, index)),
        finish: () => finish(response),
      }
    },
  }
}

type Provider = Awaited<ReturnType<typeof startProvider>>

/** A JPEG of random content: 120 KB with 512 pixels, 490 KB with 1,024. */
function noise(size: number): Promise<Buffer> {
  const content = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width: size, height: size, channels: 3, background: '#888', noise: content } })
    .jpeg()
    .toBuffer()
}

const originOf = ({ port }: { readonly port: number }) => `http://127.0.0.1:${port}`

function clientOf({ cookie }: User, url: string): TestClient {
  return createTestClient(url, () => ({ cookie: `${cookie.name}=${cookie.value}`, origin: url }))
}

/** The client of a process that generates itself, and that of one whose generations run in another. */
async function watching(
  folder: string,
  settings: Settings,
  provider: Provider,
  rounds: number,
  print: Print,
): Promise<void> {
  const previews = await Promise.all(Array.from({ length: previewsPerImage }, () => noise(512)))
  const roles = { 'in the same process': ['all'], 'in another process': ['web', 'worker'] } as const
  const names = Object.keys(roles) as (keyof typeof roles)[]
  const figures = new Map(names.map((name) => [name, { previews: [] as number[], images: [] as number[] }]))
  provider.setInstant(false)
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const servers: BuiltServer[] = []
      for (const ROLE of roles[name]) servers.push(await startBuiltServer(folder, { ...settings, ROLE }))
      const url = originOf(servers[0] ?? { port: NaN })
      const user = await signUp(url)
      for (let image = 0; image < 15; image += 1) {
        const prompt = randomUUID()
        const { seen, ended } = follow(clientOf(user, url), { prompt })
        const job = await provider.take(prompt)
        await seen('running')
        for (const [index, bytes] of previews.entries()) {
          const start = performance.now()
          job.preview(bytes, index)
          await seen('preview', index)
          figures.get(name)?.previews.push(performance.now() - start)
          await pause(previewPauseMs)
        }
        const start = performance.now()
        job.finish()
        await ended
        figures.get(name)?.images.push(performance.now() - start)
      }
      for (const server of servers) await server.stop()
    }
  }
  for (const [name, of] of figures) {
    for (const [event, times] of Object.entries(of)) {
      print(
        `scale: ${event} of a generation ${name}, from the provider to the client: p50 ${median(times).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms`,
      )
    }
  }
}

async function throughput(
  folder: string,
  settings: Settings,
  provider: Provider,
  rounds: number,
  print: Print,
): Promise<void> {
  provider.setInstant(true)
  const direct: number[] = []
  const lists = new Map<number, number[]>([1, 2, 3].map((count) => [count, []]))
  const generations = new Map<number, number[]>([1, 2, 3].map((count) => [count, []]))
  let users: User[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const count of [1, 2, 3]) {
      const servers: BuiltServer[] = []
      for (let index = 0; index < count; index += 1) servers.push(await startBuiltServer(folder, settings))
      const [first] = servers
      if (!first) throw new Error('No server was started.')
      // Directly, as each has an address of its own.
      if (users.length === 0)
        users = await Promise.all(Array.from({ length: usersAtOnce }, () => signUp(originOf(first))))
      const proxy = await startHaproxy(folder, servers)
      await requestsPerSecond(proxy.port, '/trpc/posts.list')
      if (count === 1) direct.push(await requestsPerSecond(first.port, '/trpc/posts.list'))
      lists.get(count)?.push(await requestsPerSecond(proxy.port, '/trpc/posts.list'))
      generations.get(count)?.push(await generationsPerSecond(users, originOf(proxy)))
      await proxy.stop()
      for (const server of servers) await server.stop()
    }
  }
  const [one, alone] = [median(lists.get(1) ?? []), median(generations.get(1) ?? [])]
  print(`scale: cached lists of a process without HAProxy: ${median(direct).toFixed(0)}/s`)
  for (const count of [1, 2, 3]) {
    const [ofLists, ofGenerations] = [median(lists.get(count) ?? []), median(generations.get(count) ?? [])]
    print(
      `scale: processes behind HAProxy: ${count}; cached lists ${ofLists.toFixed(0)}/s (${(ofLists / one).toFixed(2)} ×), generations ${ofGenerations.toFixed(1)}/s (${(ofGenerations / alone).toFixed(2)} ×)`,
    )
  }
}

async function startHaproxy(folder: string, servers: readonly BuiltServer[]) {
  const port = await findFreePorts(1)
  const file = path.join(folder, 'haproxy.cfg')
  const backends = servers.map((server, index) => `  server web${index} 127.0.0.1:${server.port}\n`)
  writeFileSync(
    file,
    `defaults
  mode http
  balance leastconn
  timeout connect 2s
  timeout client 60s
  timeout server 60s
listen site
  bind 127.0.0.1:${port}
${backends.join('')}`,
  )
  const ports = { https: port, http: port }
  const proxy = await startProxy('haproxy', ['-db', '-f', file], { folder, ports })
  return { port, stop: () => proxy.stop() }
}

/** Generations that all users finish, one after the other each. */
async function generationsPerSecond(users: readonly User[], url: string): Promise<number> {
  let finished = 0
  const start = performance.now()
  await Promise.all(
    users.map(async (user) => {
      const client = clientOf(user, url)
      while (performance.now() - start < generatingMs) {
        await follow(client, { prompt: randomUUID() }).ended
        finished += 1
      }
    }),
  )
  return (finished * 1_000) / (performance.now() - start)
}
