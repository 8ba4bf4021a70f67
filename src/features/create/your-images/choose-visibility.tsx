import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import type { ListedImage } from '../../../../shared/images.ts'
import type { Visibility } from '../../../../shared/posts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { RadioGroup } from '../../../ui/form.tsx'
import { useVisibilityOptions } from '../../../ui/post-options.ts'
import styles from './selection-bar.module.css'

/** Dialog that asks who may see the posts of images. */
export function ChooseVisibility(props: {
  /** Images with posts. */
  images: readonly ListedImage[]
  onChoose: (visibility: Visibility) => void
  onClosed: () => void
}) {
  const { t } = useLingui()
  const posts = props.images.flatMap((image) => image.posts)
  const visibilityOptions = useVisibilityOptions()
  const [open, setOpen] = useState(true)
  const [visibility, setVisibility] = useState<Visibility>(commonVisibility(posts) ?? 'public')

  function save(event: FormEvent) {
    event.preventDefault()
    setOpen(false)
    props.onChoose(visibility)
  }

  return (
    <Dialog
      open={open}
      title={t`${plural({ count: posts.length }, { one: 'Who can see the post?', other: 'Who can see the # posts?' })}`}
      description={t`The link of a post stays the same.`}
      focusAfter={() => null}
      onClose={() => setOpen(false)}
      onClosed={props.onClosed}
    >
      <form className={styles['form']} onSubmit={save}>
        <RadioGroup
          legend={t`Visibility`}
          name="visibility"
          value={visibility}
          options={visibilityOptions}
          onChange={setVisibility}
        />
        <DialogActions>
          <Button onClick={() => setOpen(false)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary">
            <Trans>Save</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Returns the visibility that all posts have; null if they differ. */
function commonVisibility(posts: ListedImage['posts']): Visibility | null {
  const [first] = posts
  return first && posts.every(({ visibility }) => visibility === first.visibility) ? first.visibility : null
}
