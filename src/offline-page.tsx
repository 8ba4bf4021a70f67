import { Trans, useLingui } from '@lingui/react/macro'
import { pagePaths } from '../shared/routes.ts'
import appStyles from './app.module.css'
import { HeaderFrame, LogoContent, logoClass } from './features/header/header.tsx'
import { EmptyMotif } from './ui/empty-motif.tsx'
import { buttonClass } from './ui/button.tsx'
import { PageHeading } from './ui/page.tsx'

/**
 * The page that the service worker shows without a connection. Complete as HTML, with its styles:
 * `offlineScript` handles its button.
 */
export function OfflinePage({ siteName }: { siteName: string }) {
  const { t } = useLingui()
  return (
    <>
      <HeaderFrame
        logo={
          <a href={pagePaths.gallery} className={logoClass}>
            <LogoContent siteName={siteName} />
          </a>
        }
      />
      <main className={appStyles['main']}>
        <div className="stack widest vacant">
          <EmptyMotif />
          <PageHeading title={t`No connection`}>
            <Trans>
              {siteName} can’t be reached. Check your connection, then try again. The page loads by itself
              once you are online.
            </Trans>
          </PageHeading>
          <button type="button" className={buttonClass('primary')}>{t`Try again`}</button>
        </div>
      </main>
    </>
  )
}

/**
 * Loads the page of the address again: when its button is pressed, when the browser is online again, and when the server answers
 * again, instead of a proxy in front of it. The browser may have been online before this script ran, or all the time.
 */
export const offlineScript =
  'function load(){location.reload()}' +
  "addEventListener('online',load);" +
  "document.querySelector('button').addEventListener('click',load);" +
  'function loadIfServed(answer){if(answer.status<500){clearInterval(timer);load()}}' +
  "var timer=setInterval(function(){if(navigator.onLine)fetch('',{method:'HEAD'}).then(loadIfServed,function(){})},5000)"
