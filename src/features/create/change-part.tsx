import { Trans } from '@lingui/react/macro'
import type { SucceededImage } from '../../../shared/images.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import type { Creation } from './use-creation.ts'

const MaskEditor = lazyPart(async () => (await import('./mask-editor/mask-editor.tsx')).MaskEditor)

/**
 * Returns the dialog in which a part of an image is marked, and a function that opens it; null without an engine that takes
 * masks: the chosen one, or another one.
 *
 * @param onTaken called when the form has the image and the mask
 */
export function useChangePart(creation: Creation, onTaken?: () => void) {
  const [dialog, openDialog] = useDialog()
  const able = [creation.engine, ...creation.engines]
  const engine = able.find((one) => one?.isAvailable && one.capabilities.mask)
  const open = (image: SucceededImage) =>
    engine && openDialog(<MaskEditor image={image} engine={engine} creation={creation} onTaken={onTaken} />)
  return [dialog, engine ? open : null] as const
}

/** Button that marks a part of an image that is to change. */
export function ChangePart(props: {
  image: SucceededImage
  creation: Creation
  describedBy: string
  onTaken?: () => void
}) {
  const { image } = props
  const [dialog, open] = useChangePart(props.creation, props.onTaken)
  return (
    <>
      {open && !image.isHidden && (
        <Button aria-describedby={props.describedBy} onClick={() => open(image)}>
          <Trans>Change part of it</Trans>
        </Button>
      )}
      {dialog}
    </>
  )
}
