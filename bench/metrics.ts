import { pageSize } from '../shared/limits.ts'
import { seed, startBuiltServer, withFolder } from './built-server.ts'
import { median, requestsPerSecond, type Print } from './measure.ts'

const rounds = 7
const atLeast = 0.85

/** Cost of counting and timing requests, measured on cached responses, where it is largest in proportion. */
export function run(print: Print): Promise<void> {
  return withFolder(async (folder) => {
    seed(folder, pageSize + 1)
    const without = await startBuiltServer(folder)
    const measured = await startBuiltServer(folder, { METRICS_TOKEN: 'the-token-of-the-benchmark' })
    try {
      for (const address of ['/', '/trpc/posts.list']) {
        const ratios: number[] = []
        for (let round = 0; round < rounds; round += 1) {
          const limit = await requestsPerSecond(without.port, address)
          ratios.push((await requestsPerSecond(measured.port, address)) / limit)
        }
        const ratio = median(ratios).toFixed(2)
        print(
          `metrics: requests/s of ${address} with metrics on, to the same without   ${ratio} (at least ${atLeast})`,
        )
      }
    } finally {
      await Promise.all([without.stop(), measured.stop()])
    }
  })
}
