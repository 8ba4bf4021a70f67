import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { nameLimit, promptLimit } from '../../../shared/limits.ts'
import type { PostDetails } from '../../../shared/posts.ts'
import { failureMessage } from '../../api/failure.ts'
import { updateCachedPost } from '../../api/post-details.ts'
import { reloadLists } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, RadioGroup, textIn, useForm } from '../../ui/form.tsx'
import type { FormError } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useVisibilityOptions } from '../../ui/visibility-options.ts'
import styles from './post-dialogs.module.css'

/** Edits the name, the prompt and the visibility of the viewer's own post. */
export function EditPost({ post, onClosed }: { post: PostDetails; onClosed: () => void }) {
  const { i18n, t } = useLingui()
  const visibilityOptions = useVisibilityOptions()
  const [open, setOpen] = useState(true)
  const [visibility, setVisibility] = useState(post.visibility)
  const { form, errors, failure, isBusy, submit } = useForm<'name' | 'prompt', FormError>(['name', 'prompt'])
  const update = trpc.posts.update.useMutation()
  const queryClient = useQueryClient()
  const toast = useToast()

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const changes = {
      name: textIn(event.currentTarget, 'name'),
      prompt: textIn(event.currentTarget, 'prompt'),
      visibility,
      hidePrompt: data.has('hidePrompt'),
      isSensitive: data.has('isSensitive'),
    }
    const isSaved = await submit(
      changes.prompt.trim() ? {} : { prompt: t`Please enter a prompt.` },
      async () => {
        try {
          updateCachedPost(
            queryClient,
            post.id,
            post.authorId,
            await update.mutateAsync({ id: post.id, ...changes }),
          )
          return null
        } catch (error) {
          return {
            field: null,
            message: failureMessage(error, i18n) ?? t`The post could not be saved. Try again in a moment.`,
          }
        }
      },
    )
    if (!isSaved) return
    reloadLists(queryClient)
    toast(t`Changes saved.`)
    setOpen(false)
  }

  return (
    <Dialog
      open={open}
      title={t`Edit post`}
      description={t`The image and its settings stay as they are. A changed prompt is marked as edited.`}
      focusAfter={() => null}
      onClose={() => setOpen(false)}
      onClosed={onClosed}
    >
      <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void save(event)}>
        <Notice>{failure?.message}</Notice>
        <Field label={t`Name`} error={errors.name}>
          {(control) => (
            <input {...control} name="name" defaultValue={post.name} maxLength={nameLimit.characters} />
          )}
        </Field>
        <Field label={t`Prompt`} error={errors.prompt}>
          {(control) => (
            <textarea
              {...control}
              name="prompt"
              rows={4}
              defaultValue={post.prompt}
              maxLength={promptLimit.characters}
            />
          )}
        </Field>
        <RadioGroup
          legend={t`Who can see it`}
          name="visibility"
          value={visibility}
          options={visibilityOptions}
          onChange={setVisibility}
        />
        <label className={styles['check']}>
          <input type="checkbox" name="hidePrompt" defaultChecked={post.isPromptHidden} />
          {t`Hide the prompt from others`}
        </label>
        <label className={styles['check']}>
          <input type="checkbox" name="isSensitive" defaultChecked={post.isSensitive} />
          {t`Sensitive: blur the image until it is clicked`}
        </label>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{t`Cancel`}</Button>
          <Button variant="primary" type="submit" isBusy={isBusy}>
            {isBusy ? t`Saving…` : t`Save changes`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
