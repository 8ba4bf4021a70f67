import { useEffect, useRef, useState } from 'react'
import type { MadeToken } from '../../../shared/api-keys.ts'
import { copyText } from '../../browser/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './account.module.css'
import tokenStyles from './tokens.module.css'

/** The text of a token that was just made, for the only time; it takes the focus. */
export function MadeTokenText({ made, onDone }: { made: MadeToken; onDone: () => void }) {
  const text = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setIsCopied] = useState<boolean | null>(null)
  useEffect(() => text.current?.focus(), [])

  async function copy() {
    const wasCopied = await copyText(made.token)
    if (!wasCopied) text.current?.focus()
    setIsCopied(wasCopied)
  }

  return (
    <div className={tokenStyles['made']}>
      <Field label="Your new token" hint="Copy it now and keep it like a password: it is not shown again.">
        {(control) => (
          <textarea
            {...control}
            ref={text}
            className={`${control.className} ${tokenStyles['text']}`}
            rows={1}
            readOnly
            spellCheck={false}
            autoComplete="off"
            value={made.token}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <div className={styles['row']}>
        <Button variant="primary" onClick={() => void copy()}>
          Copy
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
      <Confirmation>{isCopied && 'The token is on your clipboard.'}</Confirmation>
      <Notice>{isCopied === false && 'The browser did not copy it. Copy the marked text yourself.'}</Notice>
    </div>
  )
}
