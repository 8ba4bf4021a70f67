import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { pagePaths } from '../../shared/routes.ts'
import { EmptyMotif } from './brand.tsx'
import { buttonClass } from './button.tsx'
import { PageHeading } from './page.tsx'

/** The page for unknown paths. */
export function NotFoundPage() {
  const { t } = useLingui()
  return (
    <div className="stack widest vacant">
      <EmptyMotif />
      <PageHeading title={t`Page not found`}>{t`This page does not exist. It may have moved.`}</PageHeading>
      <Link href={pagePaths.gallery} className={buttonClass('primary')}>
        {t`Back to the gallery`}
      </Link>
    </div>
  )
}
