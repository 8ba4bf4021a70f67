import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { noteLimit } from '../../../shared/moderation.ts'
import type { Post } from '../../../shared/posts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, textIn } from '../../ui/form.tsx'
import styles from './moderation.module.css'
import { UserText } from '../../ui/user-text.tsx'

/** Asks for a note to the author, then hides a post. */
export function HidePost(props: { post: Post; onHide: (note: string) => void; onClosed: () => void }) {
  const [open, setOpen] = useState(true)
  const { t } = useLingui()
  const { name } = props.post
  function hide(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    props.onHide(textIn(event.currentTarget, 'note'))
    setOpen(false)
  }
  return (
    <Dialog
      open={open}
      title={
        <Trans>
          Hide the post of <UserText text={name} />?
        </Trans>
      }
      description={t`Only its author, moderators and administrators see the image then. You can unhide it at any time.`}
      focusAfter={() => null}
      onClose={() => setOpen(false)}
      onClosed={props.onClosed}
    >
      <form className={styles['form']} onSubmit={hide}>
        <Field
          label={t`Note to the author (optional)`}
          hint={t`The author reads it with the reasons of the reports, and may appeal once. Your name is not shown.`}
        >
          {(control) => <textarea {...control} name="note" rows={3} maxLength={noteLimit.characters} />}
        </Field>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" type="submit">
            <Trans>Hide</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
