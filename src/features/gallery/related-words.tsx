import { useLingui } from '@lingui/react/macro'
import type { ListAddress } from '../../../shared/page-data.ts'
import { trpc } from '../../api/trpc.ts'
import { Chip } from './chips.tsx'
import styles from './chips.module.css'

/** Number of words among which related ones are looked for, and of those that are shown. */
const comparedWords = 500
const shownWords = 8

/** Frequent words that are written like the term of a search without results. */
export function RelatedWords({ address }: { address: ListAddress }) {
  const { t } = useLingui()
  const { data } = trpc.posts.words.useQuery({ limit: comparedWords })
  if (!data?.words.length) return null
  const pairs = pairsOf(address.search.toLowerCase())
  const likeness = (word: string) => [...pairsOf(word)].filter((pair) => pairs.has(pair)).length / word.length
  const words = data.words.toSorted((a, b) => likeness(b.word) - likeness(a.word)).slice(0, shownWords)
  return (
    <div role="group" aria-label={t`Frequent words`} className={`row ${styles['related']}`}>
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
