import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/databases.ts'
import { openLog } from '../../observability/log.ts'
import { PostgresNotifications } from './postgres-notifications.ts'

test('ignores messages that are not valid, and logs them', async () => {
  const { config, open } = await createTestDatabase()
  if (config.kind !== 'postgres') throw new Error('The test requires PostgreSQL.')
  const db = await open()
  const lines: string[] = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  const notifications = new PostgresNotifications(db, config, log)
  onTestFinished(async () => {
    await notifications.close()
    await db.destroy()
  })
  const hints: unknown[] = []
  notifications.subscribe(
    (hint) => {
      hints.push(hint)
      if (hint.type === 'cancel') throw new Error('The listener failed.')
    },
    () => true,
  )
  await expect.poll(() => hints).toEqual([{ type: 'resync' }])
  const hint = { type: 'progress', id: 'image-1', progress: 0.5 }
  const payloads = [
    '',
    'no JSON',
    'null',
    '{}',
    '{"from":"x"}',
    '{"from":"x","hint":{"type":"other"}}',
    '{"from":"x","hint":{"type":"changed","id":{}}}',
    '{"from":"x","hint":{"type":"cancel","id":"i"}}',
    JSON.stringify({ from: 'x', hint }),
  ]
  for (const payload of payloads) await sql`SELECT pg_notify('rangoli', ${payload})`.execute(db)
  await expect.poll(() => hints.at(-1)).toEqual(hint)
  await expect
    .poll(() => lines.filter((line) => line.includes('a message of another process was ignored')))
    .toHaveLength(8)
})
