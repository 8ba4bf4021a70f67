import type { KeyedQueue } from '../rate-limits/keyed-queue.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { ListPostsServices } from './list-posts.ts'
import type { CreatePostServices, DeletePostServices } from './posts-service.ts'

/** Services that the procedures of this module take. Not in the router's file, whose types the client package contains. */
export interface PostsServices extends ListPostsServices, CreatePostServices, DeletePostServices {
  readonly searches: KeyedQueue
  readonly writeLimits: Pick<WriteLimits, 'indexing' | 'reports'>
}
