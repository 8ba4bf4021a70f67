import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ProviderError } from '../../../../shared/provider-sign-in.ts'
import { useSite } from '../../../api/site.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RulesLink } from '../../../ui/site-links.tsx'
import { ProviderButton } from './provider-button.tsx'
import { describeProviderError } from './provider-failure.ts'
import styles from './sign-in-dialog.module.css'

/**
 * The way to sign in at the provider, above the form for passwords if there is one.
 *
 * @param props.error with which the user came back from the provider; null without one
 */
export function ProviderSignIn(props: {
  provider: string
  hasPasswords: boolean
  invitation: string
  error: ProviderError | null
}) {
  const { provider, hasPasswords, invitation, error } = props
  const { hasRules } = useSite()
  const { i18n } = useLingui()
  const [failure, setFailure] = useState(() => error && describeProviderError(error, props, i18n))
  return (
    <div className={styles['provider']}>
      <Notice>{failure}</Notice>
      <ProviderButton
        provider={provider}
        request={invitation === '' ? {} : { invitation }}
        variant={hasPasswords ? 'plain' : 'primary'}
        onFailure={(next) => setFailure(next?.message ?? null)}
      />
      {hasPasswords ? (
        <p className={styles['or']}>
          <Trans>or with your email</Trans>
        </p>
      ) : (
        hasRules && (
          <p className={styles['rules']}>
            <Trans>
              With an account you accept the <RulesLink>rules of this site</RulesLink>.
            </Trans>
          </p>
        )
      )}
    </div>
  )
}
