import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { Notification } from '../../../shared/notifications.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { shorten } from '../../ui/text.tsx'

/** Length of a title within a sentence, in characters. */
const titleLength = 80

/** What happened, with the names of users and the words of what it is about. The quotes of a title have the direction of the sentence. */
export function NotificationSentence({ notification }: { notification: Notification }) {
  const { i18n } = useLingui()
  const sentence = describeNotification(notification, i18n)
  const words: unknown = sentence.values?.['title']
  const title =
    typeof words === 'string' && words !== i18n._(untitled) ? <Sentence of={msg`“${{ words }}”`} /> : words
  return <Sentence of={{ ...sentence, values: { ...sentence.values, title } }} />
}

const untitled = msg({
  message: 'your image',
  comment: 'In place of the title of an image within a sentence',
})

/** Describes a notification by a sentence with the texts `name` and `title`. */
export function describeNotification(
  { kind, count, actorNames, text, hasEnded }: Notification,
  i18n: I18n,
): MessageDescriptor {
  const name = actorNames[0] ?? i18n._(msg`A user`)
  const isByOne = actorNames.length < 2
  const others = count - 1
  const title = text ? shorten(text, titleLength) : i18n._(untitled)
  switch (kind) {
    case 'like':
      return msg`${plural(others, {
        0: `${name} liked ${title}`,
        one: `${name} and # other liked ${title}`,
        other: `${name} and # others liked ${title}`,
      })}`
    case 'remix':
      return isByOne
        ? msg`${plural(count, { one: `${name} remixed ${title}`, other: `${name} remixed ${title} # times` })}`
        : msg`${plural(count, {
            one: `${name} and others remixed ${title}`,
            other: `${name} and others remixed ${title} # times`,
          })}`
    case 'collection':
      return isByOne
        ? msg`${plural(count, {
            one: `${name} added an image to your collection`,
            other: `${name} added # images to your collection`,
          })}`
        : msg`${plural(count, {
            one: `${name} and others added an image to your collection`,
            other: `${name} and others added # images to your collection`,
          })}`
    case 'generation':
      return msg`${plural(count, {
        one: `${title} is ready`,
        other: `# images are ready, the latest is ${title}`,
      })}`
    case 'theme':
      return hasEnded
        ? msg`The theme ${title} has ended. See its most liked images.`
        : msg`The gallery has a theme: ${title}`
    case 'decision':
      return msg`There is a decision of the moderators about ${title}`
    case 'appeal':
      return text ? msg`The author of ${title} appeals` : msg`An author appeals`
  }
}
