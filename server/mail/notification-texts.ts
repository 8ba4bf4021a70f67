import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { Notification, NotificationKind } from '../../shared/notifications.ts'
import { pagePaths } from '../../shared/routes.ts'
import type { MailContent, MailFrame, MailPart } from './mail-content.ts'

const sentences: Readonly<Record<NotificationKind, (count: number) => MessageDescriptor>> = {
  like: (count) =>
    msg`${plural(count, { one: 'Your post has # new like', other: 'Your post has # new likes' })}`,
  remix: (count) =>
    msg`${plural(count, { one: 'Your post has # new remix', other: 'Your post has # new remixes' })}`,
  collection: (count) =>
    msg`${plural(count, { one: '# post was added to a collection', other: '# posts were added to a collection' })}`,
  generation: (count) => msg`${plural(count, { one: '# image is ready', other: '# images are ready' })}`,
  theme: () => msg`The gallery has a new theme`,
  decision: () => msg`A moderator has decided about your post`,
  appeal: () => msg`An author appeals a decision`,
}

/** Formats what a push says, without names and prompts. @param kind null for notifications of several kinds */
export function notificationTitle(i18n: I18n, kind: NotificationKind | null, count: number): string {
  const several = msg`${plural(count, { one: '# new notification', other: '# new notifications' })}`
  return i18n._(kind === null ? several : sentences[kind](count))
}

/**
 * Creates the daily mail about what is new.
 *
 * @param showsPrompts true for a verified address: the user may have written another one's
 */
export function digestMail(
  news: readonly Notification[],
  { siteName, siteUrl }: MailFrame,
  i18n: I18n,
  showsPrompts: boolean,
): MailContent {
  const parts = news.flatMap(({ kind, count, text }): MailPart[] => [
    { kind: 'text', text: notificationTitle(i18n, kind, count) },
    ...(showsPrompts && text !== '' ? [{ kind: 'quote', text } as const] : []),
  ])
  const action = siteUrl === null ? null : new URL(pagePaths.notifications, siteUrl).href
  return {
    subject: i18n._(msg`New on ${siteName}`),
    parts: [
      ...parts,
      ...(action === null
        ? []
        : [{ kind: 'action', label: i18n._(msg`Open notifications`), url: action } as const]),
    ],
    reason: i18n._(msg`You receive this mail once a day at most. Your notification settings switch it off.`),
  }
}

/** Texts of the page that a link to unsubscribe opens. */
export function unsubscribeTexts(i18n: I18n, siteName: string) {
  return {
    title: i18n._(msg`Unsubscribe from daily mails of ${siteName}`),
    button: i18n._(msg`Unsubscribe`),
    done: i18n._(msg`You get no more daily mails. Your notification settings switch them on again.`),
    invalid: i18n._(msg`This link is not valid.`),
  }
}
