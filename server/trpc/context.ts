import type { SetupServices } from '../admin/setup.ts'
import type { StatisticsServices } from '../admin/statistics.ts'
import type { ManageServices } from '../admin/manage-users.ts'
import type { CollectionsServices } from '../collections/services.ts'
import type { Authenticator } from '../access/authenticator.ts'
import type { Config } from '../config/config.ts'
import type { ReadContentVersion } from '../db/content-version.ts'
import type { Generations, ImagesRouterServices } from '../images/generation/generations.ts'
import type { SweepResult } from '../images/stored-images.ts'
import type { UnsubscribeLinks } from '../mail/unsubscribe-links.ts'
import type { Readiness } from '../observability/health.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { CallContext } from '../procedures/procedures.ts'
import type { BodyBudget } from '../rate-limits/body-budget.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { WorkInProgress } from '../rate-limits/work-in-progress.ts'
import type { SiteOptionServices } from '../site/site-options.ts'
import type { Worker } from '../tasks/queue-worker.ts'
import type { AccountServices } from '../users/export-account.ts'
import type { NotificationServices } from '../notifications/services.ts'
import type { ModerationServices } from '../moderation/moderate-post.ts'
import type { PostsServices } from '../posts/services.ts'
import type { StylesServices } from '../styles/change-style.ts'
import type { WebhookServices } from '../webhooks/stored-webhooks.ts'

/** Dependencies of use cases; each declares the few that it needs. Disposing stops the jobs and closes the database. */
export interface Services
  extends
    AsyncDisposable,
    AccountServices,
    SetupServices,
    CollectionsServices,
    StatisticsServices,
    ImagesRouterServices,
    ManageServices,
    ModerationServices,
    NotificationServices,
    PostsServices,
    SiteOptionServices,
    StylesServices,
    WebhookServices {
  readonly config: Config
  readonly readContentVersion: ReadContentVersion
  /** Removes orphaned images. @param now milliseconds since 1970 */
  readonly sweepOrphans: (now: number) => Promise<SweepResult>
  readonly authenticator: Authenticator
  readonly generations: Generations
  /** What this process does besides requests and generations; nothing if other processes do. No mails if the site sends none. */
  readonly workers: Partial<Record<'mails' | 'webhooks' | 'pushes' | 'words' | 'themes', Worker>>
  readonly unsubscribeLinks: UnsubscribeLinks
  readonly bodyBudget: BodyBudget
  readonly writeLimits: WriteLimits
  readonly workInProgress: WorkInProgress
  readonly readiness: Readiness
  /** Null if `METRICS_TOKEN` is not set. */
  readonly metrics: Metrics | null
}

/** Context of a request of any transport. */
export interface RequestContext extends CallContext<Services> {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
  /** Returns the origin of the site as the client sees it; null if the request has no valid host. */
  readonly siteOrigin: () => string | null
}
