import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a temporary folder, to be removed by the caller. */
export function makeFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'rangoli-test-'))
}

/** Creates a folder that is removed after the test. */
export async function tempFolder(): Promise<string> {
  const folder = await makeFolder()
  // Again if a server that stops stores a missing thumbnail meanwhile.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}
