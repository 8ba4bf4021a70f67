import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig } from 'vitest/config'
import { messages } from './server/launch/messages.mjs'
import { defineVersion } from './server/launch/version.mjs'

/** More workers than cores, as some tests wait. By default Vitest leaves one core unused. */
const maxWorkers = availableParallelism() + 2

/** End of tests and hooks that hang. Far from what any takes, as a machine with ten times as much to do as it can is as slow. */
const hangMs = 180_000

/** Maximum time to wait for a result, after which a test says what it has seen instead. */
const waitMs = 45_000

/** A folder in memory, which exists on Linux. */
const memoryFolder = '/dev/shm'

/** Far more than the temporary files of a run. */
const memoryBytes = 8 * 1024 ** 3

// Each write of a server waits for the disk, which takes a sixth of the time of its tests.
if (process.env['TMPDIR'] === undefined && existsSync(memoryFolder)) {
  const { bavail, bsize } = statfsSync(memoryFolder)
  if (bavail * bsize >= memoryBytes) process.env['TMPDIR'] = temporaryFolder()
}

/** Creates a folder that every user can enter, as databases run as another one. Removed when this process ends. */
function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(memoryFolder, 'rangoli-tests-'))
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Tests create much garbage that is short-lived, which a larger young generation collects with less CPU time. */
const execArgv = ['--max-semi-space-size=64']

/** Tests of other platforms: the container, and programs that .ci/run installs, without which they are skipped. */
const platformTests = [
  'e2e/{browsers,container,fleet,proxies}.test.ts',
  'server/storage/s3-blob-store.test.ts',
  'test/faults/bucket*.test.ts',
]

/** Tests in a browser, and those of processes of the built server. */
const endToEnd = {
  // They run after the others, with all cores.
  sequence: { groupOrder: 1 },
  environment: 'node',
  // Files of a worker share its modules, and so its browser.
  isolate: false,
  globalSetup: ['e2e/global-setup.ts'],
  testTimeout: hangMs,
  // One at least waits for servers, the network or timers.
  maxWorkers: availableParallelism() + 1,
}

export default defineConfig(({ mode }) => ({
  plugins: [messages(), react()],
  define: defineVersion,
  test: {
    // `npm run test:long` runs the fuzz and fault suites at full length.
    env: mode === 'long' ? { RANGOLI_LONG: '1' } : {},
    // Others are empty.
    css: { include: /theme\/tokens\.css/ },
    // Vitest polls for one second, and limits hooks to ten.
    expect: { poll: { timeout: waitMs } },
    hookTimeout: hangMs,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,shared,src,test}/**/*.test.{ts,tsx}'],
          // Require PostgreSQL.
          exclude: [
            'server/db/postgres/**',
            'server/**/postgres-*.test.ts',
            'server/cli/import.test.ts',
            ...platformTests,
          ],
          environment: 'node',
          // Tests leave no state in modules, and loading them for each file takes most of the time.
          isolate: false,
          execArgv,
          maxWorkers,
          // Not at full length, which measures the memory of many images.
          setupFiles: mode === 'long' ? [] : ['test/support/remembered-images.ts'],
          testTimeout: hangMs,
        },
      },
      {
        extends: true,
        test: {
          // The tests of the server with PostgreSQL instead of SQLite.
          name: 'server-postgres',
          include: ['{server,test}/**/*.test.ts'],
          exclude: [
            // About SQLite and its files.
            'server/db/sqlite/**',
            'server/**/sqlite-*.test.ts',
            'server/db/open-database.test.ts',
            'server/cli/{backup,doctor,program,restore,verify}.test.ts',
            'server/ops/{backup,doctor}/**',
            'test/faults/!(bucket).test.ts',
            'test/faults/bucket-of-sqlite-site.test.ts',
            // About the only process of a site; leases.test.ts is about several.
            'server/images/generation/restart.test.ts',
            // Subscribes in every turn of the event loop, for which the few connections of a test server are too slow.
            'server/images/generation/joining-at-the-end.test.ts',
            // Without a database.
            'server/{client-package,config,engines,formats,launch,network,observability,tasks,text}/**',
            'server/auth/{auth-secret,password-limits,relying-party}.test.ts',
            'server/images/{download,processing}.test.ts',
            'server/rate-limits/**',
            'test/support/**',
            'server/storage/!(bucket-usage).test.ts',
          ],
          environment: 'node',
          isolate: false,
          globalSetup: ['test/support/postgres-cluster.ts'],
          execArgv,
          maxWorkers,
          setupFiles: [
            'test/support/guarded-transactions.ts',
            ...(mode === 'long' ? [] : ['test/support/remembered-images.ts']),
          ],
          testTimeout: hangMs,
        },
      },
      {
        extends: true,
        test: {
          ...endToEnd,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...platformTests],
        },
      },
      {
        extends: true,
        test: { ...endToEnd, name: 'platforms', include: platformTests },
      },
    ],
  },
}))
