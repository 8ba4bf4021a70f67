import type { Logger } from 'pino'
import type { AdministrationServices } from '../access/user-directory.ts'
import type { UserServices } from '../access/user-access.ts'
import type { PlannedChanges } from '../db/content-version.ts'
import type { Call, Caller } from '../procedures/procedures.ts'
import type { KeyedQueue } from '../rate-limits/keyed-queue.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { ReadSiteOptions } from '../site/site-options.ts'

/** Services of this module's procedures. Not in the router's file, whose types the client package contains. */
export interface CollectionsServices extends UserServices, AdministrationServices {
  readonly log: Logger
  readonly searches: KeyedQueue
  readonly writeLimits: Pick<WriteLimits, 'reports'>
  readonly plannedChanges: PlannedChanges
  readonly readOptions: ReadSiteOptions
  readonly sendsMail: boolean
}

export type CollectionCaller = Caller<CollectionsServices>

export type CollectionCall<Input> = Call<CollectionsServices, Input>
