import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { imageShapes } from '../../../shared/image-files.ts'
import type { ListAddress } from '../../../shared/page-data.ts'
import { listPath } from '../../api/list-address.ts'
import { pageKeys } from '../../api/page-data.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { UserText } from '../../ui/text.tsx'
import styles from './chips.module.css'

const shapeLabels = {
  square: msg({ message: 'Square', comment: 'Images of this shape' }),
  landscape: msg({ message: 'Landscape', comment: 'Images of this shape' }),
  portrait: msg({ message: 'Portrait', comment: 'Images of this shape' }),
} as const

/** A row of links that narrow a list by shape, engine and frequent words; what is chosen comes first, and is cleared by another click. */
export function Chips({ address }: { address: ListAddress }) {
  const { i18n, t } = useLingui()
  const { engines } = useSite()
  const words = useWords()
  const facets = [
    ...imageShapes.map(
      (shape) => ({ key: 'shape', value: shape, label: i18n._(shapeLabels[shape]) }) as const,
    ),
    ...engines.map(({ id, label }) => ({ key: 'engine', value: id, label }) as const),
  ]
  const isChosen = ({ key, value }: (typeof facets)[number]) => address[key] === value
  return (
    <div className={styles['chips']}>
      <nav aria-label={t`Filters`}>
        {facets
          .toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
          .map((facet) => (
            <Chip
              key={facet.key + facet.value}
              address={{ ...address, [facet.key]: isChosen(facet) ? null : facet.value }}
              label={facet.label}
              isChosen={isChosen(facet)}
            />
          ))}
      </nav>
      {address.authorId === null && words.length > 0 && (
        <nav aria-label={t`Frequent words`}>
          {words.map((word) => (
            <Chip
              key={word}
              address={{ ...address, search: address.search === word ? '' : word }}
              label={word}
              isChosen={address.search === word}
            />
          ))}
        </nav>
      )}
    </div>
  )
}

/** A link to a list, or to the list without what was chosen. */
export function Chip(props: { address: ListAddress; label: string; isChosen?: boolean }) {
  const { t } = useLingui()
  const { address, label, isChosen } = props
  return (
    <Link
      href={listPath({ ...address, cursor: null })}
      className={`small hoverable ${styles['chip']}`}
      aria-current={isChosen || undefined}
      aria-label={isChosen ? t({ message: `Clear ${label}`, context: 'filter' }) : undefined}
    >
      <UserText text={label} />
      {isChosen && <span aria-hidden="true">×</span>}
    </Link>
  )
}

/** The most frequent words of posts. */
function useWords(): readonly string[] {
  const { client } = trpc.useUtils()
  const { data = [] } = useQuery({
    queryKey: pageKeys.words,
    queryFn: async ({ signal }) =>
      (await client.posts.words.query({}, { signal })).words.map(({ word }) => word),
  })
  return data
}
