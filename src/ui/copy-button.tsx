import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { copyText } from '../browser/apis.ts'
import { useAnnounce } from './announcer.tsx'

/** A quiet button that copies a text, and says whether it could. @param props.copied announced if it could */
export function CopyButton(props: { label: string; text: string; copied: string }) {
  const { t } = useLingui()
  const announce = useAnnounce()
  const [result, setResult] = useState<string | null>(null)

  async function copy() {
    const isCopied = await copyText(props.text)
    setResult(isCopied ? t`Copied` : t`Not allowed`)
    announce(isCopied ? props.copied : t`The browser does not allow copying.`)
  }

  return (
    <button type="button" className="textButton underlinable" onClick={() => void copy()}>
      {result ?? props.label}
    </button>
  )
}
