import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { afterAll, beforeAll, describe } from 'vitest'
import { parseConfig } from '../../server/config/config.ts'
import type { S3StorageConfig } from '../../server/config/storage-section.ts'
import { makeFolder } from './folder.ts'

const run = promisify(execFile)
const script = path.join(import.meta.dirname, 'start-s3.sh')
const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph', 'curl']

/** Time to start an object storage: 9 seconds on a free machine. */
export const s3StartTimeoutMs = 120_000

/** A real object storage on the loopback address. */
export interface TestObjectStorage {
  /** Variables of a site with a key prefix of its own. */
  env(variables?: Record<string, string>): Record<string, string>
  /** Configuration of the same. */
  config(variables?: Record<string, string>): S3StorageConfig
  /** Starts it with the data of before. */
  start(): Promise<void>
  /** Kills it by SIGKILL. */
  stop(): Promise<void>
}

/** Defines tests that need a real object storage. Without its programs they are skipped with a message. */
export function describeWithS3(name: string, define: (storage: () => TestObjectStorage) => void): void {
  const missing = programs.filter((program) => !isInstalled(program))
  if (missing.length > 0) {
    const reason = `The tests of "${name}" need ${missing.join(', ')}; see test/support/start-s3.sh.`
    if (process.env['RANGOLI_REQUIRE_SERVICES'] === '1') throw new Error(reason)
    console.warn(`${reason} They are skipped.`)
  }
  describe.skipIf(missing.length > 0)(name, () => {
    let folder: string
    let storage: TestObjectStorage
    beforeAll(async () => {
      folder = await makeFolder()
      storage = await createStorage(folder)
    }, s3StartTimeoutMs)
    afterAll(async () => {
      // Also if it did not start in time.
      await stopStorage(folder)
      await rm(folder, { recursive: true, force: true })
    })
    define(() => storage)
  })
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((place) => existsSync(path.join(place, program)))
}

async function createStorage(folder: string): Promise<TestObjectStorage> {
  let started: Record<string, string | undefined> = {}
  let sites = 0
  const port = await freePortPair()
  async function start() {
    const { stdout } = await run(script, ['start', folder, String(port)])
    started = parseEnv(stdout)
  }
  const env = (variables?: Record<string, string>) => ({
    ...(started as Record<string, string>),
    S3_PREFIX: `site-${(sites += 1)}`,
    ...variables,
  })
  await start()
  return {
    env,
    config(variables) {
      const { storage } = parseConfig(env(variables), '/')
      if (storage.kind !== 's3') throw new Error('The variables name no bucket.')
      return storage
    },
    start,
    stop: () => stopStorage(folder),
  }
}

async function stopStorage(folder: string): Promise<void> {
  await run(script, ['stop', folder])
}

/** Finds a free port whose successor is free, too. Below the range that outgoing connections use. */
async function freePortPair(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    return (server.address() as AddressInfo).port === port
  } catch {
    return false
  } finally {
    server.close()
  }
}
