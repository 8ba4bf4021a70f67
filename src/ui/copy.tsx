import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { copyText } from '../browser/apis.ts'
import { announce } from './announcer.tsx'
import { Button } from './button.tsx'

/** A button that copies a text, and says whether it could. */
export function CopyButton(props: { label: string; text: string; copied: string; describedBy?: string }) {
  const { label, text, copied, describedBy } = props
  const { t } = useLingui()
  const [result, setResult] = useState<string | null>(null)

  async function copy() {
    const isCopied = await copyText(text)
    setResult(isCopied ? t`Copied` : t`Not allowed`)
    announce(isCopied ? copied : t`The browser does not allow copying.`)
  }

  const button = { onClick: () => void copy(), children: result ?? label }
  if (describedBy !== undefined) return <Button aria-describedby={describedBy} {...button} />
  return <button type="button" className="textButton underlinable" {...button} />
}
