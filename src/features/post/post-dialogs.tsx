import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { nameLimit, promptLimit } from '../../../shared/limits.ts'
import { reportCommentLimit, reportReasons, type ReportReason } from '../../../shared/moderation.ts'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { completeDeletion, describeFailure } from '../../api/failure.ts'
import { updateCachedPost } from '../../api/post-details.ts'
import { reloadLists, removePost, removePosts } from '../../api/post-lists.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { SmallImage } from '../../images/image.tsx'
import { RadioGroup, TextArea, TextField } from '../../ui/form.tsx'
import { reasonLabels, useVisibilityOptions } from '../../ui/post-options.ts'
import { RulesLink } from '../../ui/site-links.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { FormDialog } from '../auth/form-dialog.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import styles from './post-dialogs.module.css'

/** Asks for confirmation, then deletes a post. */
export function DeletePost(props: {
  post: Post
  /** False if an administrator deletes another user's post. */
  isOwn: boolean
  /** Element that gets the focus when the post is gone; called before it is. */
  focusAfter?: () => HTMLElement | null
  onClosed: (isDeleted: boolean) => void
}) {
  const { t } = useLingui()
  const { post, isOwn } = props
  const isDeleted = useRef(false)
  const queryClient = useQueryClient()
  const { client } = trpc.useUtils()

  async function remove() {
    await completeDeletion(client.posts.delete.mutate({ id: post.id }))
    isDeleted.current = true
    const target = props.focusAfter?.() ?? null
    if (isOwn) removePost(queryClient, post.id)
    else removePosts(queryClient, ({ photo }) => photo === post.photo)
    return () => target
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
      signedOut={t`You are signed out. Sign in again, then delete the post.`}
      outcome={t`Post deleted.`}
      call={remove}
      onClosed={() => props.onClosed(isDeleted.current)}
    />
  )
}

/** Asks for a reason, then reports a post to the administrators. */
export function ReportPost({ post, onClosed }: { post: Post; onClosed: () => void }) {
  const { i18n, t } = useLingui()
  const [reason, setReason] = useState<ReportReason | null>(null)
  const { hasRules } = useSite()
  const { client } = trpc.useUtils()
  return (
    <FormDialog
      title={t`Report this post`}
      description={
        <>
          {t`Your report goes to the administrators of this site, without your name.`}{' '}
          {hasRules && (
            <Trans>
              See the <RulesLink>rules of this site</RulesLink>.
            </Trans>
          )}
        </>
      }
      submit={t`Send report`}
      busy={t`Sending…`}
      outcome={t`Thank you. The administrators will review your report.`}
      failed={t`The report could not be sent. Try again in a moment.`}
      check={() => ({ reason: reason === null && t`Please choose a reason.` })}
      call={async (text) => {
        if (!reason) return null
        try {
          await client.posts.report.mutate({ id: post.id, reason, comment: text('comment') })
          return null
        } catch (error) {
          if (describeFailure(error).reason !== 'not_found') throw error
          return { message: t`This post is no longer in the gallery.` }
        }
      }}
      onClosed={onClosed}
    >
      <SmallImage image={post} className={styles['reported']} />
      <RadioGroup
        legend={t`What is wrong with it?`}
        name="reason"
        value={reason}
        options={reportReasons.map((value) => ({ value, label: i18n._(reasonLabels[value]) }))}
        onChange={setReason}
      />
      <TextArea
        label={t`Anything to add (optional)`}
        name="comment"
        maxLength={reportCommentLimit.characters}
      />
    </FormDialog>
  )
}

/** Edits the name, the prompt and the visibility of the viewer's own post. */
export function EditPost({ post, onClosed }: { post: PostDetails; onClosed: () => void }) {
  const { t } = useLingui()
  const visibilityOptions = useVisibilityOptions()
  const [visibility, setVisibility] = useState(post.visibility)
  const { client } = trpc.useUtils()
  const queryClient = useQueryClient()
  return (
    <FormDialog
      title={t`Edit post`}
      description={t`The image and its settings stay as they are. A changed prompt is marked as edited.`}
      submit={t`Save changes`}
      busy={t`Saving…`}
      outcome={t`Changes saved.`}
      failed={t`The post could not be saved. Try again in a moment.`}
      check={(text) => ({ prompt: text('prompt') === '' && t`Please enter a prompt.` })}
      call={async (text, form) => {
        const data = new FormData(form)
        const saved = await client.posts.update.mutate({
          id: post.id,
          name: text('name'),
          // A prompt that differs in its spaces would be marked as edited.
          prompt: text('prompt') === post.prompt.trim() ? post.prompt : text('prompt'),
          visibility,
          hidePrompt: data.has('hidePrompt'),
          isSensitive: data.has('isSensitive'),
        })
        updateCachedPost(queryClient, post.id, post.authorId, saved)
        reloadLists(queryClient)
      }}
      onClosed={onClosed}
    >
      <TextField label={t`Name`} name="name" defaultValue={post.name} maxLength={nameLimit.characters} />
      <TextArea
        label={t`Prompt`}
        name="prompt"
        rows={4}
        defaultValue={post.prompt}
        maxLength={promptLimit.characters}
      />
      <RadioGroup
        legend={t`Who can see it`}
        name="visibility"
        value={visibility}
        options={visibilityOptions}
        onChange={setVisibility}
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
