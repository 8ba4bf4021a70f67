import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'wouter'
import { isSucceeded } from '../../../shared/images.ts'
import { postPath } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { SmallImage } from '../../images/image.tsx'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { shorten } from '../../ui/text.tsx'
import { elementIds, focusFirst } from './element-ids.ts'
import { engineFor, type RemixedPost } from './form-options.ts'
import styles from './remix-of.module.css'
import type { Creation } from './use-creation.ts'
import { UserText } from '../../ui/user-text.tsx'

/** Maximum length of the prompt in the link, in characters. */
const promptLength = 80

/** The post that the form's images are remixes of, with a button that ends that. */
export function RemixOf({ post, creation }: { post: RemixedPost; creation: Creation }) {
  const { draft, engines, changeOptions } = creation
  const max = engineFor(draft.options, engines.list)?.capabilities.referenceImages ?? 0
  return (
    <div className={styles['remix']}>
      <RemixedPostLink post={post} />
      <div className={styles['actions']}>
        {max > draft.options.references.length && <UseAsReference post={post} creation={creation} />}
        <Button
          onClick={() => {
            changeOptions({ remix: null })
            focusFirst(elementIds.prompt)
          }}
        >
          <Trans>Remove</Trans>
        </Button>
      </div>
    </div>
  )
}

/** Copies the image of the post to the user's own, as references have to be. */
function UseAsReference({ post, creation }: { post: RemixedPost; creation: Creation }) {
  const { t } = useLingui()
  const upload = trpc.images.upload.useMutation()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)

  async function send() {
    setIsBusy(true)
    try {
      const response = await fetch(post.photo)
      if (!response.ok) throw new Error(`The image was not found: ${response.status}`)
      const form = new FormData()
      form.set('file', new File([await response.blob()], 'original.jpg', { type: 'image/jpeg' }))
      const image = await upload.mutateAsync(form)
      if (!isSucceeded(image)) return
      const { id, photo, placeholder } = image
      creation.changeOptions(({ references }) => ({
        references: [...references.filter((one) => one.id !== id), { id, photo, placeholder }],
      }))
      toast(t`The image is a reference image now.`)
    } catch (cause) {
      console.error('could not use an image as reference', cause)
      toast(t`The image could not be used as reference. Try again in a moment.`)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Button isBusy={isBusy} onClick={() => void send()}>
      {isBusy ? t`Copying…` : t`Use its image as reference`}
    </Button>
  )
}

/** Thumbnail, prompt and author of a post that is remixed, as a link to it. */
export function RemixedPostLink({ post }: { post: RemixedPost }) {
  return (
    <p className={styles['post']}>
      {!post.isSensitive && <SmallImage image={post} className={styles['image']} />}
      <span>
        {post.prompt === '' ? (
          <Trans>
            Remix of <Link href={postPath(post.id)}>an image</Link> by <UserText text={post.name} />
          </Trans>
        ) : (
          <Trans>
            Remix of{' '}
            <Link href={postPath(post.id)}>
              “<UserText text={shorten(post.prompt, promptLength)} />”
            </Link>{' '}
            by <UserText text={post.name} />
          </Trans>
        )}
      </span>
    </p>
  )
}
