import { useLingui } from '@lingui/react/macro'
import type { Collection } from '../../../shared/collections.ts'
import { trpc } from '../../api/trpc.ts'
import { HiddenNoticeCard } from '../post/hidden-post.tsx'
import { useReloadCollections } from './collection-loader.tsx'

/** Says that a collection is hidden and why, to its owner and to moderators. */
export function HiddenCollection(props: {
  collection: Collection
  notice: NonNullable<Collection['hiddenNotice']>
}) {
  const { t } = useLingui()
  const { id, isOwner } = props.collection
  const { client } = trpc.useUtils()
  const reload = useReloadCollections()
  return (
    <HiddenNoticeCard
      notice={props.notice}
      sentence={
        isOwner
          ? t`This collection was hidden. Only you, moderators and administrators see it.`
          : t`This collection is hidden. Only its owner, moderators and administrators see it.`
      }
      unhidden={t`The collection is no longer hidden.`}
      unhide={async () => {
        await client.moderation.unhideCollection.mutate({ id })
        await reload()
      }}
    />
  )
}
