import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../../../test/support/databases.ts'
import { linesOf } from '../../../test/support/doctor.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { findFreePorts } from '../../../test/support/ports.ts'
import { describeUnlessMissing, findExecutable, missingPrograms } from '../../../test/support/programs.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { checkPostgres } from '../../ops/doctor/database.ts'

type PoolMode = 'session' | 'transaction'

/** Of docs/scaling.md. */
const documented =
  'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options'

/** Starts PgBouncer before a new database, for the current test. */
async function startPgBouncer(mode: PoolMode, settings = documented) {
  const database = await createPostgresDatabase()
  if (!database) throw new Error('These tests need PostgreSQL.')
  onTestFinished(database.release)
  const { port: postgresPort } = new URL(inject('postgresUrl') ?? '')
  const port = await findFreePorts(1)
  const folder = await tempFolder()
  // As root, it runs as another user.
  await chmod(folder, 0o755)
  const [users, file] = [path.join(folder, 'users.txt'), path.join(folder, 'pgbouncer.ini')]
  await writeFile(users, '"rangoli" "rangoli"\n')
  await writeFile(
    file,
    `[databases]
    * = host=127.0.0.1 port=${postgresPort}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = plain
    auth_file = ${users}
    pool_mode = ${mode}
    ${settings}`.replaceAll(/^ +/gm, ''),
  )
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const program = findExecutable(['pgbouncer']) ?? ''
  const child = spawn(program, [...asOther, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
  })
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk
      if (log.includes('process up')) resolve()
    })
    child.once('exit', () => reject(new Error(`PgBouncer ended: ${log}`)))
  })
  const pooled = new URL(database.url)
  pooled.port = String(port)
  return { direct: database.url, pooled: pooled.href }
}

async function diagnose(url: string, listenUrl = url): Promise<string[]> {
  const lines = await checkPostgres({ kind: 'postgres', url, listenUrl, maxConnections: 4 })
  return linesOf(lines)
}

describeUnlessMissing('PgBouncer', missingPrograms(['pgbouncer']), () => {
  test.each<PoolMode>(['session', 'transaction'])(
    'in its default configuration prevents the start in %s mode, with the setting that it needs',
    async (mode) => {
      const { pooled } = await startPgBouncer(mode, '')
      const fix = `In pgbouncer.ini, set ${documented}.`
      await expect(startTestServer({ env: { DATABASE_URL: pooled } })).rejects.toThrow(fix)
      expect(await diagnose(pooled)).toEqual([
        expect.stringMatching(/^problem: The database \S+ can't be used \(unsupported startup parameter: /),
      ])
      expect((await diagnose(pooled))[0]).toContain(` → ${fix}`)
    },
  )

  test.each<PoolMode>(['session', 'transaction'])('serves a site in %s mode', async (mode) => {
    const { pooled, direct } = await startPgBouncer(mode)
    const listenUrl = mode === 'session' ? pooled : direct
    const env = { DATABASE_URL: pooled, DATABASE_LISTEN_URL: listenUrl }
    const server = await startTestServer({ env })
    const asha = await server.signUp()
    await asha.share('A lotus')
    expect(await server.client().posts.list.query({})).toMatchObject({ posts: [{ prompt: 'A lotus' }] })
    expect((await diagnose(pooled, listenUrl)).at(-1)).toBe('ok: Notifications between processes arrive.')
  })

  test('in transaction mode without DATABASE_LISTEN_URL is reported by doctor', async () => {
    const { pooled } = await startPgBouncer('transaction')
    expect((await diagnose(pooled)).at(-1)).toBe(
      'problem: Notifications between processes get lost, as behind a connection pooler in transaction mode. → Set DATABASE_LISTEN_URL to the URL of PostgreSQL itself.',
    )
  })
})
