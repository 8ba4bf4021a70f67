import type { MessageDescriptor } from '@lingui/core'
import { Trans } from '@lingui/react'
import { UserText } from './text.tsx'

/**
 * A sentence with names and other words of users, each in an element of its own. Its values may be elements, too.
 *
 * @param props.className class of the words
 */
export function Sentence(props: { of: MessageDescriptor; className?: string }) {
  const { id, message, values = {} } = props.of
  const { className } = props
  const shown = Object.entries(values).map(([key, value]) => [
    key,
    typeof value === 'string' ? <UserText key={key} text={value} className={className} /> : value,
  ])
  return (
    <Trans
      id={id}
      {...(message !== undefined && { message })}
      values={Object.fromEntries(shown) as Record<string, unknown>}
    />
  )
}
