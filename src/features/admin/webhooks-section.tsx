import { Trans } from '@lingui/react/macro'
import { Webhooks } from '../webhooks/webhooks.tsx'
import styles from './webhooks.module.css'

/** Webhooks about the images and posts of all users. */
export function WebhooksSection() {
  return (
    <div className={styles['section']}>
      <p className={styles['intro']}>
        <Trans>
          A server of yours learns what happens on this site: it gets a signed request for the images and
          posts of all users, without prompts, links and names of what is not public. Requests are repeated
          for about three days until the server accepts them.
        </Trans>
      </p>
      <Webhooks owner="site" />
    </div>
  )
}
