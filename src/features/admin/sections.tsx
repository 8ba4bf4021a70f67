import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { ComponentType } from 'react'
import { matchPath, pagePaths } from '../../../shared/routes.ts'

/** A section of the operator's page, with an address of its own. */
export interface AdminSection {
  /** Last part of its path, '' for the first section. */
  readonly path: string
  readonly title: MessageDescriptor
  readonly Section: ComponentType
}

/** All sections, in the order of the navigation. */
export const adminSections: readonly AdminSection[] = [
  {
    path: '',
    title: msg`Overview`,
    Section: lazy(() =>
      import('./overview-section.tsx').then((module) => ({ default: module.OverviewSection })),
    ),
  },
  {
    path: 'users',
    title: msg`Users`,
    Section: lazy(() => import('./users-section.tsx').then((module) => ({ default: module.UsersSection }))),
  },
  {
    path: 'invitations',
    title: msg`Invitations`,
    Section: lazy(() =>
      import('./invitations-section.tsx').then((module) => ({ default: module.InvitationsSection })),
    ),
  },
  {
    path: 'engines',
    title: msg`Engines`,
    Section: lazy(() =>
      import('./engines-section.tsx').then((module) => ({ default: module.EnginesSection })),
    ),
  },
  {
    path: 'settings',
    title: msg`Settings`,
    Section: lazy(() =>
      import('./settings-section.tsx').then((module) => ({ default: module.SettingsSection })),
    ),
  },
  {
    path: 'announcements',
    title: msg`Announcements`,
    Section: lazy(() =>
      import('./announcements-section.tsx').then((module) => ({ default: module.AnnouncementsSection })),
    ),
  },
  {
    path: 'webhooks',
    title: msg`Webhooks`,
    Section: lazy(() =>
      import('./webhooks-section.tsx').then((module) => ({ default: module.WebhooksSection })),
    ),
  },
  {
    path: 'audit-log',
    title: msg`Audit log`,
    Section: lazy(() =>
      import('./audit-log-section.tsx').then((module) => ({ default: module.AuditLogSection })),
    ),
  },
]

/** Returns the section at a path; undefined if there is none. */
export function adminSectionAt(path: string): AdminSection | undefined {
  const name = matchPath(pagePaths.admin, path)
  return adminSections.find((section) => section.path === name)
}

/** Returns the title of a section's document. */
export function adminTitle(section: AdminSection, siteName: string, i18n: I18n): string {
  const page = i18n._(msg`Administration`)
  return section.path === '' ? `${page} — ${siteName}` : `${i18n._(section.title)} — ${page} — ${siteName}`
}
