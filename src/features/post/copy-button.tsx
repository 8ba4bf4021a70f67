import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { copyText } from '../../browser/apis.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import styles from './post-view.module.css'

/** A quiet button that copies a text, and says whether it could. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const { t } = useLingui()
  const announce = useAnnounce()
  const [result, setResult] = useState<string | null>(null)

  async function copy() {
    const isCopied = await copyText(text)
    setResult(isCopied ? t`Copied` : t`Not allowed`)
    announce(isCopied ? t`The prompt is copied.` : t`The browser does not allow copying.`)
  }

  return (
    <button type="button" className={styles['copy']} onClick={() => void copy()}>
      {result ?? label}
    </button>
  )
}
