import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of a test's own, to be removed by whoever asked. */
export function makeFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'rangoli-test-'))
}

/** A folder that is gone when the test is over. */
export async function tempFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
