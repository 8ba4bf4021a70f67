import type { Generations } from './generation/generations.ts'
import type { ImagesServices } from './services.ts'

/** Services of this module's procedures. Not in the router's file, whose types the client package contains. */
export interface ImagesRouterServices extends ImagesServices {
  readonly generations: Generations
}
