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
      intro={t`A server of yours learns what happens to your images and posts: the site sends it a signed request, and repeats it for about three days until the server accepts it.`}
    >
      <LazyPart fallback={<Skeleton shape="line" />}>
        <Webhooks owner="user" />
      </LazyPart>
    </Section>
  )
}
