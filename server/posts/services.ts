import type { ImagesServices } from '../images/services.ts'
import type { KeyedQueue } from '../rate-limits/keyed-queue.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { MatchCounts, PostIndex } from './search/post-index.ts'

/** Services of this module's procedures. Not in the router's file, whose types the client package contains. */
export interface PostsServices extends Omit<ImagesServices, 'imageLinks' | 'engines'> {
  readonly postIndex: PostIndex
  readonly matchCounts: MatchCounts
  readonly searches: KeyedQueue
  readonly writeLimits: Pick<WriteLimits, 'indexing' | 'reports'>
  readonly dailyPostLimit: number
  readonly sendsMail: boolean
}
