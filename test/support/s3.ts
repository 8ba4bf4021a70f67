import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { parseConfig } from '../../server/config/config.ts'
import type { S3StorageConfig } from '../../server/config/storage-section.ts'
import { makeFolder } from './folder.ts'
import { findFreePorts } from './ports.ts'
import { describeUnlessMissing, missingPrograms } from './programs.ts'

const run = promisify(execFile)
const script = path.join(import.meta.dirname, 'start-s3.sh')
const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph', 'curl']

/** Time to start an object storage: 7 seconds on a free machine. */
export const s3StartTimeoutMs = 120_000

/** A real object storage on the loopback address. */
export type TestObjectStorage = Awaited<ReturnType<typeof createStorage>>

/**
 * Defines tests that need a real object storage. @see describeUnlessMissing
 *
 * @param otherPrograms that the tests need
 */
export function describeWithS3(
  name: string,
  define: (storage: () => TestObjectStorage) => void,
  otherPrograms: readonly string[] = [],
): void {
  describeUnlessMissing(name, missingPrograms([...programs, ...otherPrograms]), () => {
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

async function createStorage(folder: string) {
  let started: Record<string, string | undefined> = {}
  let sites = 0
  const port = await findFreePorts(2)
  async function start() {
    const { stdout } = await run(script, ['start', folder, String(port)])
    started = parseEnv(stdout)
  }
  /** Variables of a site with a key prefix of its own. */
  const env = (variables?: Record<string, string>): Record<string, string> => ({
    ...(started as Record<string, string>),
    S3_PREFIX: `site-${(sites += 1)}`,
    ...variables,
  })
  await start()
  return {
    env,
    /** Configuration of the same. */
    config(variables?: Record<string, string>): S3StorageConfig {
      const { storage } = parseConfig(env(variables), '/')
      if (storage.kind !== 's3') throw new Error('The variables name no bucket.')
      return storage
    },
    /** Starts it with the data of before. */
    start,
    /** Kills it by SIGKILL. */
    stop: () => stopStorage(folder),
  }
}

async function stopStorage(folder: string): Promise<void> {
  await run(script, ['stop', folder])
}
