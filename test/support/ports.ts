import { createServer } from 'node:net'

/**
 * Finds consecutive ports of the loopback address that are free, below the range that outgoing connections use.
 *
 * @returns the first of them
 */
export async function findFreePorts(count: number): Promise<number> {
  for (;;) {
    const first = 10_000 + Math.floor(Math.random() * 20_000)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
