import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { ExportAccountServices } from './account-data.ts'

/** Services that the procedures of this module take. Not in the router's file, whose types the client package contains. */
export interface AccountServices extends ExportAccountServices {
  readonly writeLimits: Pick<WriteLimits, 'exports'>
}
