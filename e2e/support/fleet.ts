import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { findFreePorts } from '../../test/support/ports.ts'
import { startPostgresCluster } from '../../test/support/postgres-cluster.ts'
import type { TestObjectStorage } from '../../test/support/s3.ts'
import { createTestClient, type TestClient } from '../../test/support/trpc-client.ts'
import { type Provider, startProvider } from './provider.ts'
import { adapted, startProxy } from './proxies.ts'
import { makeFolder, type ServerProcess, startServer } from './server-process.ts'
import { signUp, type User } from './user.ts'
import { unlimited } from './write-load.ts'

const processCount = 3

/** Three processes of one site behind HAProxy, with one database and one object storage. */
export interface Fleet {
  /** Address of HAProxy. */
  readonly url: string
  /** Running processes, in the order of their ports. */
  readonly processes: readonly ServerProcess[]
  readonly provider: Provider
  /** The last of them only generates: a user may write four times a second. */
  readonly users: readonly User[]
  /** Client of a user for one process, past HAProxy. */
  clientOf(user: User, process: number): TestClient
  /** Starts a process that has ended on its port. */
  restart(process: number): Promise<void>
  /** Names of the processes that HAProxy sends requests to. */
  ready(): Promise<string[]>
}

/** Starts a fleet before the tests of a `describe`, and stops it after. */
export function useFleet(storage: () => TestObjectStorage, timeoutMs: number): () => Fleet {
  let fleet: Fleet | undefined
  const ends: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const folder = await makeFolder()
    ends.unshift(folder.remove)
    const [postgres, provider, port] = await Promise.all([
      startPostgresCluster(),
      startProvider(),
      findFreePorts(processCount + 2),
    ])
    ends.unshift(postgres.remove, provider.stop)
    const url = `http://127.0.0.1:${port}`
    const env = {
      ...provider.env,
      ...unlimited,
      ...storage().env(),
      DATABASE_URL: await postgres.createDatabase('rangoli'),
      AUTH_SECRET: 'a secret that all processes of the fleet know',
      PUBLIC_URL: url,
    }
    const ports = Array.from({ length: processCount }, (_, index) => port + 2 + index)
    const start = (index: number) => startServer(folder.path, { ...env, PORT: String(ports[index]) })
    const processes = await Promise.all(ports.map((_, index) => start(index)))
    ends.unshift(() => Promise.all(processes.map((process) => process.kill())))

    const statistics = `http://127.0.0.1:${port + 1}/;csv`
    const file = path.join(folder.path, 'haproxy.cfg')
    writeFileSync(file, configuration(port, ports))
    const haproxy = await startProxy('haproxy', ['-db', '-f', file], {
      folder: folder.path,
      ports: { https: port, http: port + 1 },
    })
    ends.unshift(haproxy.stop)

    const users: User[] = []
    for (const name of ['Asha', 'Meera', 'Ravi', 'Lila'])
      users.push(await signUp(url, name, `http://127.0.0.1:${ports[0]}`))
    fleet = {
      url,
      processes,
      provider,
      users,
      clientOf: ({ cookie }, index) =>
        createTestClient(`http://127.0.0.1:${ports[index]}`, () => ({
          cookie: `${cookie.name}=${cookie.value}`,
          origin: url,
        })),
      async restart(index) {
        processes[index] = await start(index)
      },
      async ready() {
        const csv = await (await fetch(statistics)).text()
        const rows = csv.split('\n').map((line) => line.split(','))
        return rows.flatMap(([backend, name, ...fields]) =>
          backend === 'web' && name?.startsWith('web') && fields[15]?.startsWith('UP') ? [name] : [],
        )
      },
    }
  }, timeoutMs)
  afterAll(async () => {
    for (const end of ends) await end()
  })

  return () => {
    if (!fleet) throw new Error('The fleet runs in tests and hooks only.')
    return fleet
  }
}

/** Configuration of the example for loopback addresses, with statistics on the next port. */
function configuration(port: number, ports: readonly number[]): string {
  const site = adapted('haproxy/haproxy.cfg', [
    ['bind :443 ssl crt /etc/haproxy/gallery.example.org.pem alpn h2,http/1.1', `bind 127.0.0.1:${port}`],
    ['X-Forwarded-Proto https', 'X-Forwarded-Proto http'],
    ...ports.map((own, index) => [`10.0.0.1${index + 1}:3000`, `127.0.0.1:${own}`] as const),
  ])
  return `${site}
listen statistics
    bind 127.0.0.1:${port + 1}
    stats enable
    stats uri /
`
}
