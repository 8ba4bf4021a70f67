import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import { matchPath, pagePaths } from '../../../shared/routes.ts'
import type { Role } from '../../../shared/viewer.ts'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'

/** A section of the operator's page, with an address of its own. */
export interface AdminSection {
  /** Last part of its path, '' for the first section. */
  readonly path: string
  readonly title: MessageDescriptor
  readonly Section: ComponentType
  /** The role that sees it, besides higher ones. */
  readonly least: Role
}

const reports = section(
  'reports',
  msg`Reports`,
  async () => (await import('../moderation/reports.tsx')).Reports,
  'moderator',
)

/** All sections, in the order of the navigation. */
export const adminSections: readonly AdminSection[] = [
  section('', msg`Overview`, async () => (await import('./overview.tsx')).Overview),
  reports,
  section('users', msg`Users`, async () => (await import('./users.tsx')).Users),
  section('invitations', msg`Invitations`, async () => (await import('./invitations.tsx')).Invitations),
  section('engines', msg`Engines`, async () => (await import('./engines.tsx')).Engines),
  section('settings', msg`Settings`, async () => (await import('./settings.tsx')).Settings),
  section('appearance', msg`Appearance`, async () => (await import('./appearance.tsx')).AppearanceSection),
  section(
    'announcements',
    msg`Announcements`,
    async () => (await import('./announcements.tsx')).Announcements,
  ),
  section('webhooks', msg`Webhooks`, async () => (await import('../webhooks/webhook-list.tsx')).SiteWebhooks),
  section('audit-log', msg`Audit log`, async () => (await import('./audit-log.tsx')).AuditLog),
]

function section(
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
