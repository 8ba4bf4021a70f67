import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { lazyPart } from './loading.tsx'
import { VisuallyHidden } from './text.tsx'

const Toast = lazyPart(async () => (await import('./toast.tsx')).Toast)

/** The next step after a message: a link on this site, or a function. */
export type ToastAction = { readonly label: string } & (
  | { readonly href: string }
  | { readonly onClick: () => void }
)

/** A message. Its number distinguishes it from an earlier one with the same text. */
interface Message {
  readonly id: number
  readonly text: string
}

interface Messages {
  /** The latest one. */
  readonly announced: Message
  /** The one that is visible; null without any. */
  readonly shown: (Message & { readonly action: ToastAction | null }) | null
}

// Of the page: never changed on the server.
let messages: Messages = { announced: { id: 0, text: '' }, shown: null }
const listeners = new Set<() => void>()

function update(change: Partial<Messages>): void {
  messages = { ...messages, ...change }
  for (const listener of listeners) listener()
}

/** Announces a message to screen reader users. */
export function announce(text: string): void {
  update({ announced: { id: messages.announced.id + 1, text } })
}

/** Announces a message, and shows it at the bottom of the page for a few seconds. */
export function toast(text: string, action: ToastAction | null = null): void {
  announce(text)
  update({ shown: { ...messages.announced, action } })
}

const close = () => update({ shown: null })

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The page's live region for screen readers, outside the parts that are mounted and unmounted, and the message that is also
 * visible.
 */
export function Announcer() {
  const getMessages = () => messages
  const { announced, shown } = useSyncExternalStore(subscribe, getMessages, getMessages)
  return (
    <>
      <VisuallyHidden>
        {/* Modal dialogs hide what has no `aria-live` of its own. */}
        <span role="status" aria-live="polite">
          {/* A new element for each message, so that a repeated one is announced again. */}
          <span key={announced.id}>{announced.text}</span>
        </span>
      </VisuallyHidden>
      {/* Outside of the page, above dialogs. */}
      {shown &&
        createPortal(
          <Toast key={shown.id} message={shown.text} action={shown.action} onClose={close} />,
          document.body,
        )}
    </>
  )
}
