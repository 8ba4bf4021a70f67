import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { Notification, NotificationKind } from '../../shared/notifications.ts'
import { pagePaths } from '../../shared/routes.ts'
import type { MailContent, MailFrame } from './mail-content.ts'
import { linkTo, quoteOf, textPart } from './mail-texts.ts'

const sentences: Readonly<
  Record<NotificationKind, (count: number, about: Notification) => MessageDescriptor>
> = {
  like: (count) =>
    msg`${plural(count, { one: 'Your post has # new like', other: 'Your post has # new likes' })}`,
  remix: (count) =>
    msg`${plural(count, { one: 'Your post has # new remix', other: 'Your post has # new remixes' })}`,
  collection: (count) =>
    msg`${plural(count, { one: '# post was added to a collection', other: '# posts were added to a collection' })}`,
  generation: (count) => msg`${plural(count, { one: '# image is ready', other: '# images are ready' })}`,
  theme: (_, { hasEnded }) =>
    hasEnded ? msg`The theme of the gallery has ended` : msg`The gallery has a new theme`,
  decision: (_, { collectionId }) =>
    collectionId === null
      ? msg`A moderator has decided about your post`
      : msg`A moderator has decided about your collection`,
  appeal: () => msg`An author appeals a decision`,
}

/** Formats what a push says, without names and prompts. @param about a notification, or the number of several */
export function notificationTitle(i18n: I18n, about: Notification | { readonly several: number }): string {
  if ('kind' in about) return i18n._(sentences[about.kind](about.count, about))
  return i18n._(
    msg`${plural({ count: about.several }, { one: '# new notification', other: '# new notifications' })}`,
  )
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
  const parts = news.flatMap((one) => [
    textPart(notificationTitle(i18n, one)),
    ...(showsPrompts && one.text !== '' ? [quoteOf(one.text)] : []),
  ])
  return {
    subject: i18n._(msg`New on ${siteName}`),
    parts: [...parts, ...linkTo(i18n._(msg`Open notifications`), pagePaths.notifications, siteUrl)],
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
