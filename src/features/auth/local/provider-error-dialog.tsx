import { Trans, useLingui } from '@lingui/react/macro'
import type { ProviderError } from '../../../../shared/provider-sign-in.ts'
import { useSite } from '../../../api/site.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { describeProviderError } from './provider-failure.ts'

/** Tells a signed-in user why connecting the provider, or confirming with it, did not work. */
export function ProviderErrorDialog(props: {
  open: boolean
  error: ProviderError
  focusAfter: () => HTMLElement | null
  onClose: () => void
}) {
  const { auth } = useSite()
  const { t, i18n } = useLingui()
  if (auth.kind !== 'local' || !auth.provider) return null
  const site = { provider: auth.provider.name, hasPasswords: auth.hasPasswords }
  return (
    <Dialog
      open={props.open}
      title={t`That did not work`}
      description={describeProviderError(props.error, site, i18n)}
      focusAfter={props.focusAfter}
      onClose={props.onClose}
    >
      <DialogActions>
        <Button variant="primary" onClick={props.onClose}>
          <Trans>OK</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}
