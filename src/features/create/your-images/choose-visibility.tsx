import { useState } from 'react'
import type { FormEvent } from 'react'
import type { ListedImage } from '../../../../shared/images.ts'
import type { Visibility } from '../../../../shared/posts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { RadioGroup } from '../../../ui/form.tsx'
import { visibilityOptions } from '../../../ui/visibility-options.ts'
import { countOf } from './count-of.ts'
import styles from './selection-bar.module.css'

/** Dialog that asks who may see the posts of images. */
export function ChooseVisibility(props: {
  /** Images with posts. */
  images: readonly ListedImage[]
  onChoose: (visibility: Visibility) => void
  onClosed: () => void
}) {
  const posts = props.images.flatMap((image) => image.posts)
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
      title={`Who can see ${posts.length === 1 ? 'the post' : `the ${countOf(posts.length, 'post')}`}?`}
      description="The link of a post stays the same."
      focusAfter={() => null}
      onClose={() => setOpen(false)}
      onClosed={props.onClosed}
    >
      <form className={styles['form']} onSubmit={save}>
        <RadioGroup
          legend="Visibility"
          name="visibility"
          value={visibility}
          options={visibilityOptions}
          onChange={setVisibility}
        />
        <DialogActions>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button type="submit" variant="primary">
            Save
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
