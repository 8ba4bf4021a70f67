import type { ImageEvent } from '../../../shared/images.ts'
import type { Database } from '../../db/open-database.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import type { Needs } from '../services.ts'
import { findUnfinishedJobs, type UnfinishedJob } from './states.ts'

/** Engines whose generations wait for each other. */
export interface EngineQueue {
  readonly name: string
  readonly engineIds: readonly string[]
  /** Maximum number of running generations, over all processes. */
  readonly concurrency: number
}

/** Creates the queues of engines: one each with this concurrency, but a shared one with 1 for engines of the same server. */
export function createQueues(engines: readonly ImageEngine[], concurrency: number): readonly EngineQueue[] {
  const queues = new Map<string, EngineQueue>()
  for (const { id, serialKey } of engines) {
    const name = serialKey ?? id
    queues.set(name, {
      name,
      engineIds: [...(queues.get(name)?.engineIds ?? []), id],
      concurrency: serialKey === null ? concurrency : 1,
    })
  }
  return [...queues.values()]
}

/** Place of a waiting generation. */
export type QueuePosition = Omit<Extract<ImageEvent, { type: 'queue' }>, 'type'>

interface PositionServices extends Needs<'db' | 'now'> {
  readonly queues: readonly EngineQueue[]
  readonly pausedIds: readonly string[]
  /** Median duration of the latest images, in seconds. */
  readonly usualSeconds: (image: Pick<UnfinishedJob, 'engine' | 'model'>) => Promise<number | null>
}

/** Reads the positions of all generations that no process has claimed. */
export async function readPositions(services: PositionServices): Promise<QueuePosition[]> {
  const jobs = await findUnfinishedJobs(services.db)
  const positions: QueuePosition[] = []
  for (const queue of services.queues) {
    const own = jobs.filter(({ engine }) => engine !== null && queue.engineIds.includes(engine))
    if (!own.some(({ worker }) => worker === null)) continue
    const isPaused = ({ engine, worker }: UnfinishedJob) =>
      worker === null && engine !== null && services.pausedIds.includes(engine)
    const paused = own.filter(isPaused)
    positions.push(
      ...paused.map(({ id }, position) => ({ id, position, waitSeconds: null, isPaused: true as const })),
    )
    const active = own.filter((job) => !isPaused(job))
    const timed = await Promise.all(
      active.map(async (job) => ({ job, duration: await services.usualSeconds(job) })),
    )
    positions.push(...positionsOf(timed, queue.concurrency, services.now()))
  }
  return positions
}

type TimedJob = { readonly job: UnfinishedJob; readonly duration: number | null }

/** @param jobs of one queue, in their order */
function positionsOf(jobs: readonly TimedJob[], concurrency: number, now: number): QueuePosition[] {
  const waiting = jobs.filter(({ job }) => job.worker === null)
  if (jobs.some(({ duration }) => duration === null)) {
    return waiting.map(({ job: { id } }, position) => ({ id, position, waitSeconds: null }))
  }
  // Seconds until each of the places for running generations is free.
  const free = jobs
    .filter(({ job }) => job.worker !== null)
    .map(({ job, duration }) =>
      Math.max(0, (duration ?? 0) - Math.max(0, now - (job.started_at ?? now)) / 1_000),
    )
  while (free.length < concurrency) free.push(0)
  return waiting.map(({ job: { id }, duration }, position) => {
    free.sort((a, b) => a - b)
    const waitSeconds = free[0] ?? 0
    free[0] = waitSeconds + (duration ?? 0)
    return { id, position, waitSeconds: Math.round(waitSeconds) }
  })
}

const sampleSize = 21

/** Selects an engine's latest images with a model, or with any if it is null. */
function selectLatest(db: Database, { id, model }: { id: string; model: string | null }) {
  return (
    db
      .selectFrom('images')
      .where('engine', '=', id)
      .$if(model !== null, (query) => query.where('model', '=', model))
      .where('state', '=', 'succeeded')
      .where('started_at', 'is not', null)
      .where('finished_at', 'is not', null)
      // The order of an index over all models.
      .$if(model === null, (query) => query.orderBy('turn', 'desc'))
      .orderBy('seq', 'desc')
      .limit(sampleSize)
  )
}

/** Reads the highest cost of an engine's latest images with a model, in millionths of a USD; 0 without any. */
export async function readHighestCost(db: Database, of: { id: string; model: string }): Promise<number> {
  const rows = await selectLatest(db, of).select('cost_micros').execute()
  return Math.max(0, ...rows.map(({ cost_micros }) => cost_micros ?? 0))
}

/** Median duration of an engine's latest images with a model, or with any if it is null, in seconds; null without any. */
export async function usualSeconds(
  db: Database,
  of: { id: string; model: string | null },
): Promise<number | null> {
  const rows = await selectLatest(db, of)
    .select(({ eb }) => eb('finished_at', '-', eb.ref('started_at')).as('duration'))
    // Excludes images during which the clock was set back.
    .whereRef('finished_at', '>=', 'started_at')
    .execute()
  const durations = rows.flatMap(({ duration }) => duration ?? []).toSorted((a, b) => a - b)
  const median = durations[Math.floor(durations.length / 2)]
  return median === undefined ? null : median / 1_000
}
