import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Memory of the process after garbage collection, in megabytes. */
export async function memoryUse(): Promise<{ readonly held: number; readonly resident: number }> {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage()
    // Lets callbacks of the event loop release their references.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { held: (heapUsed + external) / 1024 / 1024, resident: rss / 1024 / 1024 }
}
