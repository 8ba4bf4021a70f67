import type { Logger } from 'pino'
import type { FigureServices } from '../admin/figures.ts'
import type { ManageServices } from '../admin/manage-users.ts'
import type { Authenticator } from '../access/authenticator.ts'
import type { Config } from '../config/config.ts'
import type { PlannedChanges, ReadContentVersion } from '../db/content-version.ts'
import type { Database } from '../db/open-database.ts'
import type { Engines } from '../engines/engines.ts'
import type { Generations } from '../images/generation/generations.ts'
import type { ImageLinks } from '../images/image-links.ts'
import type { SweepResult } from '../images/stored-images.ts'
import type { UserQueue } from '../images/upload-image.ts'
import type { MailSender } from '../mail/mail-sender.ts'
import type { Readiness } from '../observability/health.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { MatchCounts, PostIndex } from '../posts/search/post-index.ts'
import type { CallContext } from '../procedures/procedures.ts'
import type { BodyBudget } from '../rate-limits/body-budget.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { SearchQueue } from '../rate-limits/search-queue.ts'
import type { WorkInProgress } from '../rate-limits/work-in-progress.ts'
import type { ReadSiteOptions, SiteOptionServices } from '../site/site-options.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import type { Clock } from '../time/clock.ts'
import type { AccountServices } from '../users/account-router.ts'
import type { ImagesServices } from '../images/services.ts'
import type { ModerationServices } from '../moderation/moderation-router.ts'
import type { PostsServices } from '../posts/posts-router.ts'
import type { WebhookServices } from '../webhooks/manage-webhooks.ts'
import type { WebhookAddresses } from '../webhooks/webhook-addresses.ts'
import type { WebhookSender } from '../webhooks/webhook-sender.ts'

/** Dependencies of use cases; each declares the few that it needs. Disposing stops the jobs and closes the database. */
export interface Services
  extends
    AsyncDisposable,
    AccountServices,
    FigureServices,
    ImagesServices,
    ManageServices,
    ModerationServices,
    PostsServices,
    SiteOptionServices,
    WebhookServices {
  readonly config: Config
  readonly log: Logger
  readonly db: Database
  readonly readContentVersion: ReadContentVersion
  readonly plannedChanges: PlannedChanges
  readonly postIndex: PostIndex
  readonly matchCounts: MatchCounts
  readonly blobs: BlobStore
  readonly imageLinks: ImageLinks
  /** Removes orphaned images. @param now milliseconds since 1970 */
  readonly sweepOrphans: (now: number) => Promise<SweepResult>
  readonly engines: Engines
  readonly authenticator: Authenticator
  readonly generations: Generations
  readonly now: Clock
  readonly readOptions: ReadSiteOptions
  /** Whether the site sends mails. Otherwise none are queued. */
  readonly sendsMail: boolean
  /** Sends the queued mails; null if the site sends none, or other processes do. */
  readonly mailSender: MailSender | null
  readonly webhookAddresses: WebhookAddresses
  /** Sends the deliveries of webhooks; null if other processes do. */
  readonly webhookSender: WebhookSender | null
  readonly dailyUploadLimit: number
  readonly dailyPostLimit: number
  readonly uploadQueue: UserQueue
  readonly bodyBudget: BodyBudget
  readonly writeLimits: WriteLimits
  readonly workInProgress: WorkInProgress
  readonly searches: SearchQueue
  readonly readiness: Readiness
  /** Null if `METRICS_TOKEN` is not set. */
  readonly metrics: Metrics | null
}

/** Context of procedures: the request and the services. */
export type RequestContext = CallContext<Services>
