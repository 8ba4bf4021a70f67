import { Trans, useLingui } from '@lingui/react/macro'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { nameLimit, promptLimit } from '../../../shared/limits.ts'
import { visibilities, type Post, type PostDetails } from '../../../shared/posts.ts'
import { completeDeletion } from '../../api/missing.ts'
import { pageKeys } from '../../api/page-data.ts'
import { updateCachedPost } from '../../api/post-details.ts'
import { reloadLists, removeMissingPost, removePosts } from '../../api/post-changes.ts'
import { trpc } from '../../api/trpc.ts'
import { pageHeading } from '../../browser/apis.ts'
import { SmallImage } from '../../images/image.tsx'
import { RadioGroup, TextArea, TextField } from '../../ui/form.tsx'
import { useVisibilityOptions } from '../../ui/post-options.ts'
import { UserText } from '../../ui/text.tsx'
import { orGone } from '../auth/call-failure.tsx'
import { changesOf, ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import styles from './post-view.module.css'
import { ReportDialog } from './report-dialog.tsx'

export function DeletePost(props: {
  post: Post
  /** False if an administrator deletes another user's post. */
  isOwn: boolean
  /** Called when the dialog has closed. */
  onDeleted: (() => void) | undefined
}) {
  const { t } = useLingui()
  const { post, isOwn } = props
  const isDeleted = useRef(false)
  const queryClient = useQueryClient()
  const { client } = trpc.useUtils()

  async function remove() {
    await completeDeletion(client.posts.delete.mutate({ id: post.id }))
    isDeleted.current = true
    removePosts(queryClient, ({ id, photo }) => (isOwn ? id === post.id : photo === post.photo))
  }

  return (
    <ConfirmCall
      title={
        isOwn ? (
          t`Delete this post?`
        ) : (
          <Trans>
            Delete <UserText text={post.name} />
            ’s post?
          </Trans>
        )
      }
      description={
        isOwn ? (
          t`It will be removed from the gallery for everyone. This cannot be undone.`
        ) : (
          <Trans>
            <UserText text={post.name} /> shared this post, not you. Its image will be deleted with every post
            that shows it, and cannot be shared again. This cannot be undone.
          </Trans>
        )
      }
      confirm={t`Delete`}
      cancel={t({ message: 'Keep it', context: 'instead of deleting' })}
      failed={t`The post could not be deleted. Try again in a moment.`}
      outcome={t`Post deleted.`}
      call={remove}
      onClosed={() => {
        if (!isDeleted.current) return
        props.onDeleted?.()
        // Back and Forward lead to its address.
        queryClient.removeQueries({ queryKey: pageKeys.everyPost(post.id) })
      }}
    />
  )
}

/** A check whether a post is gone, which then leaves the page when the dialog that says so has closed. */
function useGone({ id }: Post) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const isGone = useRef(false)
  return {
    check: <Result,>(call: Promise<Result>) =>
      orGone(call, t`This post is no longer in the gallery.`, () => (isGone.current = true)),
    onClosed() {
      if (!isGone.current) return
      removeMissingPost(queryClient, id)
      // With the post goes the button that had the focus.
      notifyManager.schedule(() => {
        if (document.activeElement === document.body) pageHeading()?.focus({ preventScroll: true })
      })
    },
  }
}

export function ReportPost({ post }: { post: Post }) {
  const { t } = useLingui()
  const { client } = trpc.useUtils()
  const { check, onClosed } = useGone(post)
  return (
    <ReportDialog
      title={t`Report this post`}
      report={(reason, comment) => check(client.posts.report.mutate({ id: post.id, reason, comment }))}
      onClosed={onClosed}
    >
      <SmallImage image={post} className={`thumb ${styles['reported']}`} />
    </ReportDialog>
  )
}

/** Edits the name, the prompt and the visibility of the viewer's own post. */
export function EditPost({ post }: { post: PostDetails }) {
  const { t } = useLingui()
  const { client } = trpc.useUtils()
  const queryClient = useQueryClient()
  const { check, onClosed } = useGone(post)
  const before = { ...post, hidePrompt: post.isPromptHidden }
  return (
    <FormDialog
      title={t`Edit post`}
      description={t`The image and its settings stay as they are. A changed prompt is marked as edited.`}
      submit={t`Save changes`}
      busy={t`Saving…`}
      outcome={t`Changes saved.`}
      failed={t`The post could not be saved. Try again in a moment.`}
      onClosed={onClosed}
      call={async (text, all) => {
        const changes = changesOf(before, {
          name: text('name'),
          // A prompt that differs in its spaces would be marked as edited.
          prompt: text('prompt') === post.prompt.trim() ? post.prompt : text('prompt'),
          visibility: visibilities.find((one) => one === text('visibility')) ?? post.visibility,
          hidePrompt: all('hidePrompt').length > 0,
          isSensitive: all('isSensitive').length > 0,
        })
        const saved = await check(client.posts.update.mutate({ id: post.id, ...changes }))
        updateCachedPost(queryClient, post.id, post.authorId, saved)
        reloadLists(queryClient)
      }}
    >
      <TextField label={t`Name`} name="name" defaultValue={post.name} maxLength={nameLimit.codeUnits} />
      <TextArea
        label={t`Prompt`}
        name="prompt"
        rows={4}
        defaultValue={post.prompt}
        check={(prompt) => prompt === '' && t`Please enter a prompt.`}
        maxLength={promptLimit.codeUnits}
      />
      <RadioGroup
        legend={t`Who can see it`}
        name="visibility"
        defaultValue={post.visibility}
        options={useVisibilityOptions()}
      />
      <label className="check">
        <input type="checkbox" name="hidePrompt" defaultChecked={post.isPromptHidden} />
        {t`Hide the prompt from others`}
      </label>
      <label className="check">
        <input type="checkbox" name="isSensitive" defaultChecked={post.isSensitive} />
        {t`Sensitive: blur the image until it is clicked`}
      </label>
    </FormDialog>
  )
}
