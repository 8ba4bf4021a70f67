import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { withOtherMessages } from '../../i18n/messages.ts'
import { lazyPart } from '../../ui/loading.tsx'
import type { MenuItem, MenuItems } from '../../ui/menu.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { useSession, useWhenSignedIn } from '../auth/session.ts'

/** The dialog in which the viewer adds posts to collections. */
export const AddToCollection = lazyPart(
  async () => (await withOtherMessages(import('../collections/add-to-collection.tsx'))).AddToCollection,
)

const loadDialogs = () => withOtherMessages(import('./post-dialogs.tsx'))

const DeletePost = lazyPart(async () => (await loadDialogs()).DeletePost)
const ReportPost = lazyPart(async () => (await loadDialogs()).ReportPost)
const EditPost = lazyPart(async () => (await loadDialogs()).EditPost)

/**
 * What the viewer can do with posts, as items of their menus, and the dialog that an item opens.
 *
 * @param props.report label of an item, like `remove`
 * @param props.onDeleted called when the dialog has closed
 */
export function usePostMenu(props: { report: string; remove: string; onDeleted?: () => void }) {
  const { t } = useLingui()
  const { viewer } = useSession()
  const whenSignedIn = useWhenSignedIn()
  const [dialog, open] = useDialog()
  const item = (label: string, content: ReactNode): MenuItem => ({ label, onSelect: () => open(content) })

  /** @param details of a post that can be edited here */
  function itemsOf(post: Post, details: PostDetails | null = null): MenuItems {
    const isOwn = viewer?.id === post.authorId
    return [
      {
        label: t`Add to collection`,
        onSelect: () => whenSignedIn(() => open(<AddToCollection postIds={[post.id]} />)),
      },
      isOwn && details && item(t`Edit`, <EditPost post={details} />),
      !isOwn && item(props.report, <ReportPost post={post} />),
      (isOwn || viewer?.role === 'administrator') &&
        item(props.remove, <DeletePost post={post} isOwn={isOwn} onDeleted={props.onDeleted} />),
    ]
  }

  return [dialog, itemsOf] as const
}
