import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { adminPath } from '../../../shared/routes.ts'
import { hasRole, type Role } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import { useTitle } from '../../api/use-title.ts'
import { Count } from '../../ui/count.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { PageHeading, Panel } from '../../ui/page.tsx'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import styles from './admin.module.css'
import { adminSectionAt, adminSections, adminTitle, type AdminSection } from './sections.tsx'

export function AdminPage() {
  const section = adminSectionAt(useLocation()[0])
  return section ? <AdminFrame section={section} /> : <NotFoundPage />
}

function AdminFrame({ section }: { section: AdminSection }) {
  const { t, i18n } = useLingui()
  const isForModerators = section.least === 'moderator'
  useTitle(adminTitle(section, i18n))
  const { Section } = section
  return (
    <div className={styles['frame']}>
      <PageHeading title={i18n._(section.title)} />
      <SignedInOnly
        why={
          isForModerators
            ? t`This page is for moderators, so you need to be signed in to see it.`
            : t`This page is for administrators, so you need to be signed in to see it.`
        }
        unavailable={t`Sign-in is unavailable, so this page can’t be shown right now.`}
      >
        {({ role }) =>
          sectionsOf(role).includes(section) ? (
            <>
              <SectionLinks sections={sectionsOf(role)} current={section} />
              <Section key={section.path} />
            </>
          ) : (
            <Panel>
              <p>
                {isForModerators
                  ? t`This page is for moderators and administrators of this site.`
                  : t`This page is for administrators of this site.`}
              </p>
            </Panel>
          )
        }
      </SignedInOnly>
    </div>
  )
}

function sectionsOf(role: Role): readonly AdminSection[] {
  return adminSections.filter(({ least }) => hasRole(role, least))
}

function SectionLinks({ sections, current }: { sections: readonly AdminSection[]; current: AdminSection }) {
  const { t, i18n } = useLingui()
  const { data: waiting = 0 } = trpc.moderation.countReported.useQuery()
  const list = useRef<HTMLUListElement>(null)
  const hasCount = waiting > 0
  useEffect(() => {
    // On a phone the row of links scrolls, and the number, which comes later, makes it longer.
    const link = list.current?.children[sections.indexOf(current)]
    link?.scrollIntoView({ inline: 'center', block: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- see above
  }, [sections, current, hasCount])
  return (
    <nav aria-label={t`Administration`} className={styles['nav']}>
      <ul ref={list} className={`strip ${styles['links']}`}>
        {sections.map((section) => (
          <li key={section.path}>
            <Link
              href={adminPath(section.path)}
              className={`hoverable tab ${styles['link']}`}
              aria-current={section === current ? 'page' : undefined}
            >
              {i18n._(section.title)}
              {section.least === 'moderator' && <Count count={waiting} meaning="waiting" />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
