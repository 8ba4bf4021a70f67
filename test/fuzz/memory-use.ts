import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What the process holds after everything that can be forgotten is forgotten, in megabytes. */
export async function memoryUse(): Promise<{ readonly held: number; readonly resident: number }> {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage()
    // What waits for a turn of the loop to let go of something gets it.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { held: (heapUsed + external) / 1024 / 1024, resident: rss / 1024 / 1024 }
}
