import type { RangoliClient } from './client.ts'

export { createRangoliClient, isRangoliError } from './client.ts'
export type { RangoliClient, RangoliError, RangoliOptions } from './client.ts'
export { generateImage, GenerationError, watchImages } from './generate-image.ts'
export type {
  GeneratedImage,
  GenerateInput,
  GenerateOptions,
  Generation,
  GenerationEvent,
  GenerationResult,
} from './generate-image.ts'
export type { Engine, EngineCapabilities, EngineKind, ImageSize } from '../../shared/engines.ts'
export type { ErrorCode, FailureData } from '../../shared/errors.ts'
export type {
  Image,
  ImageEvent,
  ImagePage,
  ImageState,
  Quota,
  Recipe,
  SucceededImage,
} from '../../shared/images.ts'
export type { Post, PostDetails, PostLikes, PostPage, Visibility } from '../../shared/posts.ts'
export type { Viewer } from '../../shared/viewer.ts'
export type { AppRouter } from '../trpc/router.ts'

/**
 * Everything that a site stores about a user, but no secrets. Times are ISO 8601, UTC. With a hosted sign-in service, `email` is
 * null, and `passkeys`, `connections` and `sessions` are empty. `withdrawnAt`: the user deleted it while it was hidden.
 * `sharedPrompt`: the prompt before its first edit; null if it was never edited.
 */
export type AccountData = Awaited<ReturnType<RangoliClient['account']['export']['query']>>
