import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { postsPerCallMax, titleLimit, type Collection } from '../../../shared/collections.ts'
import { trpc } from '../../api/trpc.ts'
import { toast } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EntryList } from '../../ui/entry-list.tsx'
import { TextField } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { UserText } from '../../ui/text.tsx'
import { useSearchText } from '../../ui/use-search-text.ts'
import { FailureNotice, QueryState, useCall } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import { useReloadCollections } from './collection-loader.tsx'
import { CoverImage } from './cover.tsx'
import styles from './collections.module.css'

/** From so many collections on there is a search. */
const searchedMin = 8

/** The dialog in which the viewer adds posts to collections, and takes them back. */
export function AddToCollection({ postIds }: { postIds: readonly string[] }) {
  const { t } = useLingui()
  const [search, setSearch] = useState('')
  const [text, setText] = useSearchText(search, setSearch)
  // Of several images, no one knows in which collections all of them are.
  const list = { search, limit: postsPerCallMax, ...(postIds.length === 1 && { postId: postIds[0] }) }
  const mine = trpc.collections.list.useQuery({ ...list, isMine: true })
  // Those of others that are open to every member.
  const members = trpc.collections.list.useQuery(list)
  const { has, set, create, failure } = useAdding(postIds)
  const known = new Map(
    [...(mine.data?.collections ?? []), ...(members.data?.collections ?? [])]
      .filter(({ mayAdd }) => mayAdd)
      .map((collection) => [collection.id, collection]),
  )
  return (
    <Dialog title={t`Add to collection`} description={t`Choose one or more collections.`}>
      <FailureNotice failure={failure} />
      {(search || text || known.size >= searchedMin) && (
        <TextField
          label={t`Find a collection`}
          type="search"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <QueryState query={mine} failed={t`Your collections could not be loaded. Try again in a moment.`} />
      <div className={styles['choices']}>
        <EntryList label={t`Collections`} {...(mine.data && { empty: t`There is no such collection yet.` })}>
          {[...known.values()].map((collection) => (
            <li key={collection.id}>
              <button
                type="button"
                className={`beside hoverable insetFocus ${styles['choice']}`}
                aria-pressed={has(collection)}
                onClick={() => set(collection, !has(collection))}
              >
                <CoverImage cover={collection.cover} size="small" />
                <UserText text={collection.title} className="ellipsis" />
                <Icon size={16} className={styles['mark']} path="m3 8.5 3.5 3.5L13 4.5" />
              </button>
            </li>
          ))}
        </EntryList>
      </div>
      <CallForm
        className={styles['inline']}
        submit={t`Create`}
        failed={t`The collection could not be created. Try again in a moment.`}
        call={(read) => create(read('title'))}
        onDone={(form) => form.reset()}
      >
        <TextField
          label={t`New collection`}
          name="title"
          check={(title) => title === '' && t`Please give the collection a title.`}
          maxLength={titleLimit.codeUnits}
        />
      </CallForm>
    </Dialog>
  )
}

/** Adds posts to collections and takes them back, and remembers in which they are. */
export function useAdding(postIds: readonly string[], isFailureToasted = false) {
  const { t } = useLingui()
  const { client } = trpc.useUtils()
  const reload = useReloadCollections()
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map())
  const failed = t`The collection could not be changed. Try again in a moment.`
  const { run, failure } = useCall(failed, undefined, { isQueued: true, isFailureToasted })

  async function change({ id, title }: Collection, isAdding: boolean) {
    const { addPosts, removePosts } = client.collections
    for (let start = 0; start < postIds.length; start += postsPerCallMax) {
      const input = { id, postIds: postIds.slice(start, start + postsPerCallMax) }
      await (isAdding ? addPosts : removePosts).mutate(input)
    }
    setChanged((now) => new Map(now).set(id, isAdding))
    toast(isAdding ? t`Added to ${title}.` : t`Removed from ${title}.`)
    void reload()
  }

  const set = (collection: Collection, isAdding: boolean) => run(() => change(collection, isAdding))

  return {
    has: ({ id, hasPost = false }: Collection) => changed.get(id) ?? hasPost,
    failure,
    set,
    async create(title: string) {
      const collection = await client.collections.create.mutate({ title })
      // In the list even if the posts cannot be added: another attempt would create it twice.
      void reload()
      set(collection, true)
    },
  }
}
