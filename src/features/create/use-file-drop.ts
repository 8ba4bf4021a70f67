import { useRef, useState } from 'react'
import type { DragEvent } from 'react'

/** Takes a file that is dropped on an element, instead of leaving the page for it. */
export function useFileDrop(onFile: (file: File) => Promise<void>) {
  /** Number of elements under the pointer that were entered and not left: children are entered, too. */
  const depth = useRef(0)
  const [isDropping, setIsDropping] = useState(false)
  const hasFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

  function enter(event: DragEvent, change: number) {
    if (!hasFile(event)) return
    depth.current += change
    setIsDropping(depth.current > 0)
  }

  return {
    isDropping,
    dropHandlers: {
      onDragEnter: (event: DragEvent) => enter(event, 1),
      onDragLeave: (event: DragEvent) => enter(event, -1),
      onDragOver: (event: DragEvent) => hasFile(event) && event.preventDefault(),
      onDrop(event: DragEvent) {
        if (!hasFile(event)) return
        event.preventDefault()
        depth.current = 0
        setIsDropping(false)
        const [file] = event.dataTransfer.files
        if (file) void onFile(file)
      },
    },
  }
}
