import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { useSite } from '../../api/site.tsx'
import type { SiteSettings } from '../../../shared/page-data.ts'
import { version } from '../../../shared/version.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { PageHeading, textPageClass } from '../../ui/page.tsx'
import styles from '../../ui/prose.module.css'
import { ContactLink, software as name } from '../../ui/site-links.tsx'

export function AboutPage() {
  const { i18n, t } = useLingui()
  const software = `${name} ${version}`
  const { name: siteName, contact, kinds, hasRules } = useSite()
  return (
    <article className={textPageClass}>
      <PageHeading title={t`About ${siteName}`}>
        {t`A gallery of images that users make from words, and share with everyone.`}
      </PageHeading>
      <div className={styles['prose']}>
        <h2>{t`How images are made`}</h2>
        <p>{i18n._(originOf(kinds))}</p>
        <p>
          {t`Users can also upload images of their own. Authors choose the name that is shown with a post. They can keep its prompt private, mark its image as sensitive, and delete it at any time.`}
        </p>

        <h2>{t`Using the images`}</h2>
        <p>
          {t`An image belongs to the author who is named with it. You can view and download it here; ask the author before you publish it elsewhere.`}{' '}
          {hasRules && (
            <Trans>
              The <a href={pagePaths.rules}>rules of this site</a> may say more.
            </Trans>
          )}
        </p>
        <p>
          {t`When you download a generated image, its file contains the settings, and the prompt unless the author keeps it private.`}
        </p>

        <p>
          <Trans>
            <Link href={pagePaths.verify}>Check an image</Link>: whether it comes from this site, and what its
            file says
          </Trans>
        </p>

        <h2>{t`For programs`}</h2>
        <ul>
          <li>
            <Trans>
              <a href={pagePaths.reference}>REST API</a>, and more ways to use this site from your own
              programs
            </Trans>
          </li>
          <li>
            <Trans>
              <a href="/feed.xml">Feed</a> of the newest posts, for feed readers; authors and searches have
              feeds of their own
            </Trans>
          </li>
          <li>
            {t`Links to posts unfold with their image in chat programs, and other sites embed them by oEmbed`}
          </li>
        </ul>

        <h2>{t`Software and contact`}</h2>
        <p>
          {siteName === name
            ? t`${software} is open source under the MIT license.`
            : t`${siteName} is made with ${software}, which is open source under the MIT license.`}
        </p>
        <p>
          {t`To report a post, choose Report in its menu.`}{' '}
          {contact && (
            <Trans>
              For everything else, write to the operator of this site: <ContactLink contact={contact} />.
            </Trans>
          )}
        </p>
      </div>
    </article>
  )
}

function originOf(kinds: SiteSettings['kinds']): MessageDescriptor {
  const isDrawn = kinds.includes('rangoli')
  if (isDrawn && kinds.length > 1) {
    return msg`Several engines generate the images, among which users choose. Some are AI models, which can be wrong about facts, places and people. “Pattern” marks images that a program draws from the words of a prompt, without an AI model.`
  }
  return isDrawn
    ? msg`The images are patterns that a program draws from the words of a prompt. The same words give the same pattern. No AI model is involved, and no prompt leaves this site.`
    : msg`An AI model generates the images from the words of a prompt. It can be wrong about facts, places and people.`
}
