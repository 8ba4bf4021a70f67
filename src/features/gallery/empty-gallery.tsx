import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import type { ListAddress } from '../../../shared/page-data.ts'
import { createPath, pagePaths } from '../../../shared/routes.ts'
import { galleryAddress, listPath } from '../../api/list-address.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { EmptyMotif } from '../../ui/empty-motif.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Chip } from './chips.tsx'
import chips from './chips.module.css'
import styles from './results.module.css'

/** Number of words among which related ones are looked for, and of those that are shown. */
const comparedWords = 500
const shownWords = 8

/** Says that a list has no posts, and what can be done about it. */
export function EmptyGallery({ address }: { address: ListAddress }) {
  const { t } = useLingui()
  const { examples } = useSite()
  const { order, authorId } = address
  const isSearch = (address.search || address.shape || address.engine || '') !== ''
  const titles = {
    new: t`No Posts Yet`,
    week: t`Nothing Was Liked This Week`,
    month: t`Nothing Was Liked This Month`,
    all: t`Nothing Has Been Liked Yet`,
  }
  return (
    <section className={`stack wider card vacant ${styles['empty']}`}>
      <EmptyMotif />
      <h2>{isSearch ? t`No Search Results Found` : titles[order]}</h2>
      <p className="quiet">
        {isSearch || order === 'new'
          ? t`Try changing your search or create a new post.`
          : t`Press the heart of a post that you enjoy.`}
      </p>
      {!isSearch && order === 'new' && authorId === null && (
        <ul className={`row ${styles['emptyActions']}`} aria-label={t`Prompts to start from`}>
          {examples.map((prompt) => (
            <li key={prompt}>
              <Link href={createPath(prompt)} className="chip small hoverable">
                {prompt}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {address.search !== '' && <RelatedWords address={address} />}
      <div className={`row wider ${styles['emptyActions']}`}>
        {(isSearch || order !== 'new') && (
          <Link href={listPath({ ...galleryAddress, authorId })} className={buttonClass('plain')}>
            {t`Show all posts`}
          </Link>
        )}
        {(isSearch || order === 'new') && (
          <Link href={pagePaths.create} className={buttonClass(isSearch ? 'plain' : 'primary')}>
            {t`Make an image`}
          </Link>
        )}
      </div>
    </section>
  )
}

/** Frequent words that are written like the term of a search without results. */
function RelatedWords({ address }: { address: ListAddress }) {
  const { t } = useLingui()
  const { data } = trpc.posts.words.useQuery({ limit: comparedWords })
  if (!data?.words.length) return null
  const pairs = pairsOf(address.search.toLowerCase())
  const likeness = (word: string) => [...pairsOf(word)].filter((pair) => pairs.has(pair)).length / word.length
  const words = data.words.toSorted((a, b) => likeness(b.word) - likeness(a.word)).slice(0, shownWords)
  return (
    <div role="group" aria-label={t`Frequent words`} className={`row ${chips['related']}`}>
      {words.map(({ word }) => (
        <Chip key={word} address={{ ...address, search: word }} label={word} />
      ))}
    </div>
  )
}

/** Returns each two neighboring characters of a text. */
function pairsOf(text: string): ReadonlySet<string> {
  const characters = Array.from(text)
  return new Set(characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`))
}
