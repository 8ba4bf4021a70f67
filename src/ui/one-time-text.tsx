import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { copyText } from '../browser/apis.ts'
import { Button } from './button.tsx'
import { Field } from './form.tsx'
import { Confirmation, Notice } from './notice.tsx'
import styles from './one-time-text.module.css'

/** Shows a text the only time it is visible, such as a new API key, with a button that copies it, and focuses it. */
export function OneTimeText(props: {
  label: string
  hint: string
  value: string
  copied: string
  notCopied: string
  onDone: () => void
}) {
  const { t } = useLingui()
  const field = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setIsCopied] = useState<boolean | null>(null)
  useEffect(() => field.current?.focus(), [])

  async function copy() {
    const hasCopied = await copyText(props.value)
    if (!hasCopied) field.current?.focus()
    setIsCopied(hasCopied)
  }

  return (
    <div className={`stack wider padded full ${styles['created']}`}>
      <Field label={props.label} hint={props.hint}>
        {(control) => (
          <textarea
            {...control}
            ref={field}
            dir="ltr"
            className={`${control.className} breakable ${styles['text']}`}
            rows={1}
            readOnly
            spellCheck={false}
            autoComplete="off"
            value={props.value}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <div className="row wider">
        <Button variant="primary" onClick={() => void copy()}>{t`Copy`}</Button>
        <Button onClick={props.onDone}>{t`Done`}</Button>
      </div>
      <Confirmation>{isCopied && props.copied}</Confirmation>
      <Notice>{isCopied === false && props.notCopied}</Notice>
    </div>
  )
}
