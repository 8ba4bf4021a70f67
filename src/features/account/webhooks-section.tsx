import { useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import { LazyPart, Skeleton } from '../../ui/loading.tsx'
import { Section } from './section.tsx'

const Webhooks = lazy(() =>
  import('../webhooks/webhooks.tsx').then((module) => ({ default: module.Webhooks })),
)

/** Webhooks about the signed-in user's images and posts. */
export function WebhooksSection() {
  const { t } = useLingui()
  return (
    <Section
      title={t`Webhooks`}
      intro={t`The site sends your server a signed request when something happens to your images and posts, and repeats it for about three days until the server accepts it.`}
    >
      <LazyPart fallback={<Skeleton shape="line" />}>
        <Webhooks owner="user" />
      </LazyPart>
    </Section>
  )
}
