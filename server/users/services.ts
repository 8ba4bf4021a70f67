import type { Logger } from 'pino'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { ExportAccountServices } from './account-data.ts'

/** Services that the procedures of this module take. */
export interface AccountServices extends ExportAccountServices {
  readonly writeLimits: Pick<WriteLimits, 'exports'>
  readonly log: Logger
}
