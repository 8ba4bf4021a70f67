import { useLingui } from '@lingui/react/macro'
import { useEffect, useId, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { adminPath } from '../../../shared/routes.ts'
import { useSite } from '../../api/site.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import { Page, Panel } from '../../ui/framed-page.tsx'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import styles from './admin.module.css'
import { adminSectionAt, adminSections, adminTitle, type AdminSection } from './sections.tsx'

/** The page on which administrators run the site. */
export function AdminPage() {
  const section = adminSectionAt(useLocation()[0])
  return section ? <AdminFrame section={section} /> : <NotFoundPage />
}

function AdminFrame({ section }: { section: AdminSection }) {
  const { t, i18n } = useLingui()
  const { name: siteName } = useSite()
  const title = adminTitle(section, siteName, i18n)
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <Page title={t`Administration`} intro={t`What happens on this site, and how it is set up.`}>
      <SignedInOnly
        why={t`This page is for administrators, so you need to be signed in to see it.`}
        unavailable={t`Sign-in is unavailable, so this page can’t be shown right now.`}
        placeholder={<Skeleton shape="area" />}
      >
        {({ role }) =>
          role === 'administrator' ? (
            <div className={styles['frame']}>
              <SectionLinks current={section} />
              <CurrentSection section={section} />
            </div>
          ) : (
            <Panel>
              <p>{t`This page is for administrators of this site.`}</p>
            </Panel>
          )
        }
      </SignedInOnly>
    </Page>
  )
}

function SectionLinks({ current }: { current: AdminSection }) {
  const { t, i18n } = useLingui()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // On a phone the row of links scrolls.
    const link = list.current?.children[adminSections.indexOf(current)]
    link?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current])
  return (
    <nav aria-label={t`Administration`} className={styles['nav']}>
      <ul ref={list} className={styles['links']}>
        {adminSections.map((section) => (
          <li key={section.path}>
            <Link
              href={adminPath(section.path)}
              className={`hoverable ${styles['link']}`}
              aria-current={section === current ? 'page' : undefined}
            >
              {i18n._(section.title)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function CurrentSection({ section }: { section: AdminSection }) {
  const { i18n } = useLingui()
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const focused = useRef(section)
  useEffect(() => {
    if (focused.current === section) return
    focused.current = section
    heading.current?.focus({ preventScroll: true })
  }, [section])
  const { Section } = section
  return (
    <section aria-labelledby={headingId} className={`stack ${styles['page']}`}>
      <h2 ref={heading} id={headingId} tabIndex={-1}>
        {i18n._(section.title)}
      </h2>
      <Section key={section.path} />
    </section>
  )
}
