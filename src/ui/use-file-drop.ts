import { useState, type DragEvent } from 'react'

/** Takes a file that is dropped on an element, instead of leaving the page for it. */
export function useFileDrop(onFile: (file: File) => unknown) {
  /** Number of elements under the pointer that were entered and not left: children are entered, too. */
  const [depth, setDepth] = useState(0)
  const forFiles = (handle: (event: DragEvent) => void) => (event: DragEvent) =>
    event.dataTransfer.types.includes('Files') && handle(event)
  return {
    isDropping: depth > 0,
    dropHandlers: {
      onDragEnter: forFiles(() => setDepth((entered) => entered + 1)),
      onDragLeave: forFiles(() => setDepth((entered) => entered - 1)),
      onDragOver: forFiles((event) => event.preventDefault()),
      onDrop: forFiles((event) => {
        event.preventDefault()
        setDepth(0)
        const [file] = event.dataTransfer.files
        if (file) onFile(file)
      }),
    },
  }
}
