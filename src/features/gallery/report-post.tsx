import { useState } from 'react'
import type { FormEvent } from 'react'
import { reasonLabels, reportReasons, reportWordsLimit } from '../../../shared/moderation.ts'
import type { ReportReason } from '../../../shared/moderation.ts'
import type { Post } from '../../../shared/posts.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogResponses } from '../../ui/dialog-answers.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { textIn, useForm } from '../../ui/use-form.ts'
import type { Refusal } from '../../ui/use-form.ts'
import styles from './report-post.module.css'

const options = reportReasons.map((value) => ({ value, label: reasonLabels[value] }))

/** Asks what is wrong with a post, and puts it before the administrators. */
export function ReportPost({ post, onClosed }: { post: Post; onClosed: () => void }) {
  const [open, setOpen] = useState(true)
  const [reason, setReason] = useState<ReportReason | null>(null)
  const { form, faults, failure, isBusy, submit } = useForm<'reason' | 'words', Refusal>(['reason', 'words'])
  const report = trpc.posts.report.useMutation()
  const announce = useAnnounce()

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const words = textIn(event.currentTarget, 'words')
    const isSent = await submit(reason ? {} : { reason: 'Please choose a reason.' }, async () => {
      if (!reason) return null
      try {
        await report.mutateAsync({ id: post.id, reason, words })
        return null
      } catch (error) {
        return errorOf(error)
      }
    })
    if (!isSent) return
    announce('Thank you. The users who run this site will look at it.')
    setOpen(false)
  }

  return (
    <Dialog
      open={open}
      title="Report this post"
      description="Tell the users who run this site what is wrong with it. They are not told who you are."
      focusAfter={() => null}
      onClose={() => setOpen(false)}
      onClosed={onClosed}
    >
      <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void send(event)}>
        <Notice>{failure?.message}</Notice>
        <RadioGroup
          legend="What is wrong with it?"
          name="reason"
          value={reason}
          options={options}
          error={faults.reason}
          onChange={setReason}
        />
        <Field label="Anything to add (optional)" error={faults.words}>
          {(control) => (
            <textarea {...control} name="words" rows={3} maxLength={reportWordsLimit.characters} />
          )}
        </Field>
        <DialogResponses>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button variant="primary" type="submit" isBusy={isBusy}>
            {isBusy ? 'Sending…' : 'Send report'}
          </Button>
        </DialogResponses>
      </form>
    </Dialog>
  )
}

function errorOf(error: unknown): Refusal {
  const { reason, message } = describeFailure(error)
  if (reason === 'not_found') return { field: null, message: 'This post is not in the gallery any more.' }
  return { field: null, message: message ?? 'The report could not be sent. Try again in a moment.' }
}
