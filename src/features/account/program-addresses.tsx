import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { pagePaths } from '../../../shared/routes.ts'
import { copyText } from '../../browser/apis.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './program-addresses.module.css'

/** Addresses that users enter in other programs, together with an API key. */
export function ProgramAddresses() {
  const { t } = useLingui()
  const { origin } = window.location
  return (
    <div className={styles['addresses']}>
      <h3 className={styles['title']}>
        <Trans>Use it in other programs</Trans>
      </h3>
      <p className={styles['hint']}>
        <Trans>Enter the address in the settings of the program, with an API key.</Trans>
      </p>
      <dl className={styles['list']}>
        <Address name={t`OpenAI Images API`} help="openai" url={`${origin}/v1`} />
        <Address name={t`MCP server`} help="mcp" url={`${origin}/mcp`} />
        <Address name={t`REST API`} help="endpoints" url={`${origin}/api/v1`} />
      </dl>
    </div>
  )
}

/** @param props.help id of the section about it on the page of the API */
function Address({ name, help, url }: { name: string; help: string; url: string }) {
  const { t } = useLingui()
  const announce = useAnnounce()
  const nameId = useId()
  const [isCopied, setIsCopied] = useState<boolean | null>(null)

  async function copy() {
    const hasCopied = await copyText(url)
    setIsCopied(hasCopied)
    announce(hasCopied ? t`The address is on your clipboard.` : t`The browser does not allow copying.`)
  }

  return (
    <div className={styles['address']}>
      <dt id={nameId}>
        <a href={`${pagePaths.reference}#${help}`}>{name}</a>
      </dt>
      <dd>
        <code dir="ltr" className={styles['url']}>
          {url}
        </code>
        <Button aria-describedby={nameId} onClick={() => void copy()}>
          {isCopied === null ? t`Copy` : isCopied ? t`Copied` : t`Not allowed`}
        </Button>
      </dd>
    </div>
  )
}
