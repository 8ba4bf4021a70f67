import { useRef, type ComponentProps } from 'react'
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
