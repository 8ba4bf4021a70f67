import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef } from 'react'
import { usePageData } from '../../api/site.tsx'
import { copyText } from '../../browser/apis.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import styles from './reference.module.css'

/** The page of the REST API. The server renders it: browsers load neither its components nor its messages. */
export function ReferencePage() {
  const { reference } = usePageData()
  const { t } = useLingui()
  const announce = useAnnounce()
  const article = useRef<HTMLElement>(null)
  /** Restores the button that was used last. */
  const restore = useRef(() => {})

  const copy = useEffectEvent(async ({ target }: Event) => {
    const button = target instanceof Element ? target.closest('[data-copy]') : null
    const code = button?.closest('figure')?.querySelector('code')
    if (!button || !code) return
    const isCopied = await copyText(code.textContent)
    restore.current()
    const label = button.textContent
    restore.current = () => {
      button.textContent = label
    }
    button.textContent = isCopied ? t`Copied` : t`Not allowed`
    announce(isCopied ? t`The code is copied.` : t`The browser does not allow copying.`)
  })

  useEffect(() => {
    const listen = (event: Event) => void copy(event)
    const { current } = article
    current?.addEventListener('click', listen)
    return () => current?.removeEventListener('click', listen)
  }, [])

  if (reference === null) return <NotFoundPage />
  return <article ref={article} className={styles['page']} dangerouslySetInnerHTML={{ __html: reference }} />
}
