import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { RetryButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** What administrators look at first. */
export function OverviewSection() {
  const { t, i18n } = useLingui()
  const { data: waiting, error, refetch } = trpc.moderation.countReported.useQuery()
  return (
    <>
      <Notice action={<RetryButton onClick={() => void refetch()} />}>
        {error && (failureMessage(error, i18n) ?? t`The overview could not be loaded.`)}
      </Notice>
      {waiting !== undefined && (
        <p>
          <Link href={pagePaths.moderation}>
            {t`${plural(waiting, { one: '# post waits for a decision', other: '# posts wait for a decision' })}`}
          </Link>
        </p>
      )}
    </>
  )
}
