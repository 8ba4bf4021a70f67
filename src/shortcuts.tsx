import { useEffect, useState } from 'react'
import { lazyPart } from './ui/loading.tsx'

const ShortcutSheet = lazyPart(async () => (await import('./shortcut-sheet.tsx')).ShortcutSheet)

/** Shows the keyboard shortcuts on a press of the question mark, unless the user is typing. */
export function Shortcuts() {
  const [isOpen, setIsOpen] = useState(false)
  // Rendered first when it opens, and then for its animation.
  const [isLoaded, setIsLoaded] = useState(false)

  useEffect(() => {
    function open({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) {
      if (key !== '?' || ctrlKey || metaKey || altKey) return
      if (target instanceof Element && target.closest('input, textarea, select, [contenteditable]')) return
      setIsLoaded(true)
      setIsOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])

  return isLoaded && <ShortcutSheet isOpen={isOpen} onClose={() => setIsOpen(false)} />
}
