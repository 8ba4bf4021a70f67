import { storageUnavailable } from '../errors/app-error.ts'
import { oncePerBatch } from '../tasks/repeatable.ts'
import { within } from '../tasks/shared-task.ts'
import { dayOf, newestSeq } from './gallery.ts'
import type { Database } from './open-database.ts'

/** Version of everything that public responses depend on: differs from all earlier ones once any of it changes. */
export type ContentVersion = string

/** Reads the version as of a moment after the call. @throws AppError `storage_unavailable` */
export type ReadContentVersion = () => Promise<ContentVersion>

/** Time after which a read counts as failed: all public responses wait for it. */
const readTimeoutMs = 5_000

/** `Retry-After` of a read that took too long. */
const retrySeconds = 5

/** Creates the function that reads the version: the counters that triggers maintain, whichever process writes. */
export function createGalleryVersion(db: Database): ReadContentVersion {
  // Compiled once, since every request runs it.
  const counters = db
    .selectFrom('gallery')
    .select(['changes', 'likes', newestSeq(db).as('newest')])
    .compile()
  return oncePerBatch(() =>
    inTime(async () => {
      const { rows } = await db.executeQuery(counters)
      const [row] = rows
      if (!row) throw new Error('The table gallery has no row.')
      return `${row.newest}.${row.changes}.${row.likes}`
    }),
  )
}

/** @throws AppError `storage_unavailable` after the timeout */
export function inTime<Result>(read: () => Promise<Result>, timeoutMs = readTimeoutMs): Promise<Result> {
  return within(timeoutMs, read(), () => {
    const error = new Error(`The database did not answer within ${timeoutMs} ms.`)
    throw storageUnavailable(error, retrySeconds)
  })
}

/** Times from which public responses differ although nothing was written: ends of announcements. */
export class PlannedChanges {
  #next = Infinity
  #passed = 0

  /** Adds a time in milliseconds since 1970 for a response that is made now. */
  add(time: number): void {
    this.#next = Math.min(this.#next, time)
  }

  /** Returns a number that grows when a planned time has passed. Responses made from then on add later ones again. */
  countPassed(now: number): number {
    if (now >= this.#next) {
      this.#next = Infinity
      this.#passed += 1
    }
    return this.#passed
  }
}

/** Adds to a version what changes with time: the day in UTC, for the lists of a week or a month, and planned changes. */
export function withTime(
  read: ReadContentVersion,
  now: () => number,
  planned: PlannedChanges,
): ReadContentVersion {
  return async () => `${await read()}.${dayOf(now())}.${planned.countPassed(now())}`
}
