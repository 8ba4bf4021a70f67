import { useRef, useState, type ComponentProps, type DragEvent } from 'react'
import { Button } from './button.tsx'

/** Button that lets the user choose an image file. */
export function ImageFileButton({
  label,
  onFile,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick'> & { label: string; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept="image/jpeg,image/png,image/webp"
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onFile(file)
          // The same file may be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}

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
        // React passes on what is dropped on a dialog.
        if (file && event.currentTarget.contains(event.target as Node)) onFile(file)
      }),
    },
  }
}
