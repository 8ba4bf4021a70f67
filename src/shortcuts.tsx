import { hasModifier, isTyping } from './browser/apis.ts'
import { useWindowEvent } from './browser/use-window-event.ts'
import { withOtherMessages } from './i18n/messages.ts'
import { lazyPart } from './ui/loading.tsx'
import { useDialog } from './ui/use-dialog.tsx'

const ShortcutSheet = lazyPart(
  async () => (await withOtherMessages(import('./shortcut-sheet.tsx'))).ShortcutSheet,
)

/** Unless the user is typing, a slash focuses the search of the page, and a question mark shows the keyboard shortcuts. */
export function Shortcuts() {
  const [dialog, open] = useDialog()

  useWindowEvent('keydown', (event) => {
    const { key, target } = event
    if (hasModifier(event) || !(target instanceof HTMLElement) || isTyping(target)) return
    if (key === '?') {
      if (!dialog) open(<ShortcutSheet opener={target} />)
    } else if (key === '/' && !target.closest('[role=dialog], [role=alertdialog]')) {
      const search = document.querySelector<HTMLElement>('main input[type=search]')
      if (search) event.preventDefault()
      search?.focus()
    }
  })

  return dialog
}
