import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { useTitle } from '../../api/use-title.ts'
import { EmptyMotif } from '../../ui/empty-motif.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page.tsx'

export function NotFoundPage() {
  const { t } = useLingui()
  const title = t`Page not found`
  useTitle(title)
  return (
    <div className="stack widest vacant">
      <EmptyMotif />
      <PageHeading title={title}>{t`This page does not exist. It may have moved.`}</PageHeading>
      <Link href={pagePaths.gallery} className={buttonClass('primary')}>{t`Back to the gallery`}</Link>
    </div>
  )
}
