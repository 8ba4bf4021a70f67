import { Trans } from '@lingui/react/macro'
import { Webhooks } from '../webhooks/webhooks.tsx'
import styles from './webhooks.module.css'

/** Webhooks about the images and posts of all users. */
export function WebhooksSection() {
  return (
    <div className={styles['section']}>
      <p className={styles['intro']}>
        <Trans>
          The site sends your server a signed request when something happens to the images and posts of its
          users, without prompts, links and names of what is not public. It repeats a request for about three
          days until the server accepts it.
        </Trans>
      </p>
      <Webhooks owner="site" />
    </div>
  )
}
