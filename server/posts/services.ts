import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { SearchQueue } from '../rate-limits/search-queue.ts'
import type { ListPostsServices } from './list-posts.ts'
import type { CreatePostServices, DeletePostServices, UpdatePostServices } from './posts-service.ts'

/** Services that the procedures of this module take. */
export interface PostsServices extends ListPostsServices, CreatePostServices, DeletePostServices {
  readonly searches: SearchQueue
  readonly writeLimits: UpdatePostServices['writeLimits'] & Pick<WriteLimits, 'reports'>
}
