import { Trans, useLingui } from '@lingui/react/macro'
import { isSucceeded } from '../../../shared/images.ts'
import { failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { elementIds, focusFirst } from './element-ids.ts'
import { engineFor } from './form-options.ts'
import styles from './remix-of.module.css'
import { SharedImagePreview, useSharedImage } from './shared-image-preview.tsx'
import type { Creation } from './use-creation.ts'

interface SharedImageProps {
  readonly creation: Creation
  readonly importFile: (file: File) => Promise<void>
}

/** The image that the user has shared with the site from another app, with what to do with it. */
export function SharedImage(props: SharedImageProps) {
  const { shared, forget } = useSharedImage()
  return shared && <SharedImageActions {...props} {...shared} forget={forget} />
}

/** Asks what to do with the image. Nothing is uploaded before: other sites, too, can send one. */
function SharedImageActions(
  props: SharedImageProps & {
    readonly file: File
    readonly url: string
    readonly forget: () => Promise<void>
  },
) {
  const { creation, file } = props
  const { i18n, t } = useLingui()
  const upload = trpc.images.upload.useMutation()
  const toast = useToast()
  const { draft, engines, change, changeOptions } = creation
  const max = engineFor(draft.options, engines.list)?.capabilities.referenceImages ?? 0

  async function finish(focused: string) {
    await props.forget()
    focusFirst(focused)
  }

  /** Uploads the image; null if that failed, which `upload.error` shows. */
  async function store() {
    if (upload.isPending) return null
    const form = new FormData()
    form.set('file', file)
    const image = await upload.mutateAsync(form).catch(() => null)
    return image && isSucceeded(image) ? image : null
  }

  async function useAsReference() {
    const image = await store()
    if (!image) return
    const { id, photo, placeholder } = image
    changeOptions(({ references }) => ({
      references: [...references.filter((one) => one.id !== id), { id, photo, placeholder }],
    }))
    toast(t`The image is a reference image now.`)
    await finish(elementIds.prompt)
  }

  async function putIntoForm() {
    const image = await store()
    if (!image) return
    change({ image, batch: [] })
    toast(t`The image is in the form, ready to be shared.`)
    await finish(elementIds.prompt)
  }

  return (
    <>
      <div className={styles['remix']}>
        <SharedImagePreview url={props.url} />
        <div className={styles['actions']}>
          {max > draft.options.references.length && (
            <Button aria-disabled={upload.isPending} onClick={() => void useAsReference()}>
              <Trans>Use as reference</Trans>
            </Button>
          )}
          <Button aria-disabled={upload.isPending} onClick={() => void putIntoForm()}>
            <Trans>Put into the form</Trans>
          </Button>
          <Button onClick={() => void props.importFile(file)}>
            <Trans>Import settings</Trans>
          </Button>
          <Button onClick={() => void finish(elementIds.prompt)}>
            <Trans>Remove</Trans>
          </Button>
        </div>
      </div>
      <Notice>
        {upload.error &&
          (failureMessage(upload.error, i18n) ?? t`The image could not be uploaded. Try again in a moment.`)}
      </Notice>
    </>
  )
}
