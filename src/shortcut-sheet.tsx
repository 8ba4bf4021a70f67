import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { adminPath } from '../shared/routes.ts'
import { pageAt, type PageName } from './routes.ts'
import { Dialog } from './ui/dialog.tsx'
import styles from './shortcut-sheet.module.css'

type Shortcut = readonly [keys: readonly string[], does: MessageDescriptor]

/** Keys that are not letters, by their name in the interface. */
const keyNames: Readonly<Record<string, MessageDescriptor>> = {
  Ctrl: msg({ message: 'Ctrl', comment: 'Label of a key' }),
  Enter: msg({ message: 'Enter', comment: 'Label of a key' }),
  Esc: msg({ message: 'Esc', comment: 'Label of a key' }),
}

const list: readonly Shortcut[] = [
  [['/'], msg`Search`],
  [['←', '→'], msg`Move between posts`],
  [['Enter'], msg`Open a post`],
]
const viewer: readonly Shortcut[] = [
  [['←', '→'], msg`Previous and next image`],
  [['+', '−'], msg`Zoom in and out`],
  [['0'], msg`Whole image`],
  [['L'], msg`Like, or remove the like`],
  [['Esc'], msg`Close`],
]
const form: readonly Shortcut[] = [
  [['Ctrl', 'Enter'], msg`Generate`],
  [['↑'], msg`Your last prompts; at the beginning of words, those that have them`],
  [['1', '2', '3', '4'], msg`Choose an image`],
]

const reports: readonly Shortcut[] = [
  [['J', '↓'], msg`Next report`],
  [['K', '↑'], msg`Previous report`],
  [['H'], msg`Hide`],
  [['D'], msg`Dismiss reports and appeal`],
  [['U'], msg`Undo the last decision, or unhide`],
  [['Ctrl', 'Enter'], msg`Send a form`],
]

/** The keys of a page, and of what opens over it. */
const byPage: Partial<Record<PageName, readonly Shortcut[]>> = {
  gallery: [...list, ...viewer],
  author: [...list, ...viewer],
  post: viewer,
  create: form,
  moderation: reports,
  yourImages: [[['/'], msg`Search`], ...viewer.filter(([[key]]) => key !== 'L')],
}

/** A dialog with the keys of the page. @param props.opener had the focus, which may be a dialog rather than a control of it */
export function ShortcutSheet({ opener }: { opener: HTMLElement }) {
  const { i18n, t } = useLingui()
  const [path] = useLocation()
  const page = path === adminPath('reports') ? 'moderation' : pageAt(path)
  const shortcuts = [...(byPage[page] ?? []), [['?'], msg`Keyboard shortcuts`] as const]
  return (
    <Dialog
      title={t`Keyboard shortcuts`}
      description={t`On this page, and on what opens over it.`}
      focusAfter={() => {
        opener.focus({ preventScroll: true })
        return false
      }}
    >
      <dl className={`lined ${styles['shortcuts']}`}>
        {shortcuts.map(([keys, does]) => (
          <div key={does.id} className="ends">
            <dt>{i18n._(does)}</dt>
            <dd className="row" dir="ltr">
              {keys.map((key) => (
                <kbd key={key}>{keyNames[key] ? i18n._(keyNames[key]) : key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
