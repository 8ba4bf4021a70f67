import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { AccountFailure } from './account-failure.ts'
import { continueWithProvider, type ProviderRequest } from './provider.ts'

/** Leads to the provider's page. `onFailure` gets null before each attempt. */
export function ProviderButton(props: {
  provider: string
  request: ProviderRequest
  variant: 'primary' | 'plain'
  onFailure: (failure: AccountFailure | null) => void
}) {
  const { provider, request, onFailure } = props
  const [isBusy, setIsBusy] = useState(false)
  const { t, i18n } = useLingui()

  async function leave() {
    onFailure(null)
    setIsBusy(true)
    onFailure(await continueWithProvider(request, i18n))
    setIsBusy(false)
  }

  return (
    <Button variant={props.variant} wide isBusy={isBusy} onClick={() => void leave()}>
      {t`Continue with ${provider}`}
    </Button>
  )
}
