import { useLingui } from '@lingui/react/macro'
import { engineLabel, shapeLabels } from '../../images/image.tsx'
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

/** A row of links that narrow a list by shape, engine and frequent words, or clear what is chosen. */
export function Chips({ address }: { address: ListAddress }) {
  const { i18n, t } = useLingui()
  const { engines } = useSite()
  const words = useWords()
  const facets = [
    ...imageShapes.map((shape) => ['shape', shape, i18n._(shapeLabels[shape])] as const),
    ...engines.map(({ id, label }) => ['engine', id, engineLabel(label, i18n)] as const),
  ]
  return (
    <div className={`strip ${styles['chips']}`}>
      <nav aria-label={t`Filters`}>
        {facets.map(([key, value, label]) => {
          const isChosen = address[key] === value
          const narrowed = { ...address, [key]: isChosen ? null : value }
          return <Chip key={key + value} address={narrowed} label={label} isChosen={isChosen} />
        })}
      </nav>
      {address.authorId === null && words.length > 0 && (
        <nav aria-label={t`Frequent words`}>
          {words.map((word) => (
            <Chip
              key={word}
              address={{ ...address, search: address.search === word ? '' : word }}
              label={word}
              // The search does the same by keyboard.
              isSkipped
              isChosen={address.search === word}
            />
          ))}
        </nav>
      )}
    </div>
  )
}

/** A link to a list, or to the list without what was chosen. */
export function Chip(props: {
  address: ListAddress
  label: string
  isChosen?: boolean
  isSkipped?: boolean
}) {
  const { t } = useLingui()
  const { address, label, isChosen } = props
  return (
    <Link
      href={listPath({ ...address, cursor: null })}
      className={`chip small hoverable ${styles['chip']}`}
      tabIndex={props.isSkipped ? -1 : undefined}
      aria-current={isChosen || undefined}
      aria-label={isChosen ? t({ message: `Clear ${label}`, context: 'filter' }) : undefined}
    >
      <UserText text={label} />
      {isChosen && <span aria-hidden="true">×</span>}
    </Link>
  )
}

function useWords(): readonly string[] {
  const { client } = trpc.useUtils()
  const { data = [] } = useQuery({
    queryKey: pageKeys.words,
    queryFn: async ({ signal }) =>
      (await client.posts.words.query({}, { signal })).words.map(({ word }) => word),
  })
  return data
}
