import path from 'node:path'
import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createInstantEngine } from '../../../test/support/engine.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { openDatabaseFile, type Database } from '../../db/open-database.ts'
import { createReadSiteOptions } from '../../site/site-options.ts'
import { createQueues, usualSeconds } from './engine-queues.ts'
import { insertQueued } from './insert-queued.ts'
import { claim, failUnconfigured, findUnfinishedJobs, findWaitingEngines } from './states.ts'

const viewer = { id: 'asha', firstName: 'Asha', imageUrl: null, role: 'member' as const }

async function open() {
  const db = await openDatabaseFile(path.join(await tempFolder(), 'rangoli.db'))
  onTestFinished(() => db.destroy())
  return db
}

/** Runs work, and returns how SQLite finds the images of its queries. */
async function plansOf(db: Database, work: (db: Database) => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      queries.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  await work(db.withPlugin(recorder))
  const plans: string[] = []
  for (const { sql, parameters } of queries) {
    const explain = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters])
    const { rows } = await db.executeQuery<{ detail: string }>(explain)
    plans.push(...rows.map(({ detail }) => detail))
  }
  return plans.filter((detail) => / images\b|TEMP B-TREE/.test(detail))
}

/** Entries of unfinished images, of images of the current turn, or of one image. */
const bounded =
  /^(SCAN|SEARCH) images USING (COVERING )?(INDEX (images_(leased|queued|unfinished)\b|images_turns \(engine=\? AND turn>\?\))|INTEGER PRIMARY KEY|.*\(id=\?\))/

test.each([1, 2])('a queue of %i engines is read without the finished images', async (count) => {
  const db = await open()
  const engines = Array.from({ length: count }, (_, index) =>
    createInstantEngine({ id: `engine-${index}`, serialKey: 'one server' }),
  )
  const [engine] = engines
  const [queue] = createQueues(engines, 4)
  if (!engine || !queue) throw new Error('unreachable')
  const insert = (ownDb: Database) =>
    insertQueued(
      {
        db: ownDb,
        now: () => 0,
        readOptions: createReadSiteOptions({}, console),
        queue,
        isStopping: () => false,
      },
      viewer,
      {
        engine,
        remixOf: null,
        images: [{ prompt: 'A lotus', recipe: {} }],
        isReusable: false,
        priceMicros: null,
      },
      null,
      undefined,
    )
  await insert(db)
  const plans = await plansOf(db, async (ownDb) => {
    await insert(ownDb)
    await findWaitingEngines(ownDb)
    await claim(ownDb, { worker: 'own', durationMs: 1_000 }, queue)
    await insert(ownDb)
    await findUnfinishedJobs(ownDb)
    for await (const _ of failUnconfigured(ownDb, ['another'], { queuedBefore: 1, now: 1 }));
  })
  expect(plans.length).toBeGreaterThan(8)
  expect(plans.filter((plan) => !bounded.test(plan) && !plan.startsWith('USE TEMP B-TREE'))).toEqual([])
})

test.each(['large', null])('the latest durations of the model %j are read without sorting', async (model) => {
  const plans = await plansOf(await open(), (db) => usualSeconds(db, { id: 'one', model }))
  expect(plans).toHaveLength(1)
  expect(plans[0]).toMatch(/^SEARCH images USING INDEX images_(durations|turns) /)
})
