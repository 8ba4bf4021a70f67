import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type ComponentType } from 'react'
import { Link, useLocation } from 'wouter'
import { adminPath, matchPath, pagePaths } from '../../../shared/routes.ts'
import { hasRole, type Role } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import { useTitle } from '../../api/use-title.ts'
import { Count } from '../../ui/count.tsx'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { PageHeading, Panel } from '../../ui/page.tsx'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import styles from './admin.module.css'

/** A section of the operator's page, with an address of its own. */
interface AdminSection {
  /** Last part of its path, '' for the first section. */
  readonly path: string
  readonly title: MessageDescriptor
  readonly Section: ComponentType
  /** The role that sees it, besides higher ones. */
  readonly least: Role
}

const reports = declare(
  'reports',
  msg`Reports`,
  async () => (await import('../moderation/reports.tsx')).Reports,
  'moderator',
)

/** All sections, in the order of the navigation. */
const adminSections: readonly AdminSection[] = [
  declare('', msg`Overview`, async () => (await import('./overview.tsx')).Overview),
  reports,
  declare('users', msg`Users`, async () => (await import('./users.tsx')).Users),
  declare('invitations', msg`Invitations`, async () => (await import('./invitations.tsx')).Invitations),
  declare('engines', msg`Engines`, async () => (await import('./engines.tsx')).Engines),
  declare('settings', msg`Settings`, async () => (await import('./settings.tsx')).Settings),
  declare('appearance', msg`Appearance`, async () => (await import('./appearance.tsx')).AppearanceSection),
  declare(
    'announcements',
    msg`Announcements`,
    async () => (await import('./announcements.tsx')).Announcements,
  ),
  declare('webhooks', msg`Webhooks`, async () => (await import('../webhooks/webhook-list.tsx')).SiteWebhooks),
  declare('audit-log', msg`Audit log`, async () => (await import('./audit-log.tsx')).AuditLog),
]

function declare(
  path: string,
  title: MessageDescriptor,
  load: () => Promise<ComponentType>,
  least: Role = 'administrator',
): AdminSection {
  return { path, title, Section: lazyPart(load, <Skeleton shape="area" />), least }
}

/** Returns the section at a path; undefined if there is none. */
export function adminSectionAt(path: string): AdminSection | undefined {
  const isReports = matchPath(pagePaths.moderation, path) !== null
  const name = isReports ? reports.path : matchPath(pagePaths.admin, path)
  return adminSections.find((one) => one.path === name)
}

/** Returns the title of a section's document, without the name of the site. */
export function adminTitle({ path, title, least }: AdminSection, i18n: I18n): string {
  if (least === 'moderator') return i18n._(title)
  const page = i18n._(msg`Administration`)
  return path === '' ? page : `${i18n._(title)} — ${page}`
}

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
