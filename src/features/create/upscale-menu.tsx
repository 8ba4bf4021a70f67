import { Trans } from '@lingui/react/macro'
import type { SucceededImage } from '../../../shared/images.ts'
import { upscaleMaxPixels } from '../../../shared/limits.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { Creation } from './use-creation.ts'

/** Returns the factors by which engines that are available enlarge an image. */
export function upscaleFactors({ isHidden, width, height }: SucceededImage, { engines }: Creation): number[] {
  const factors = engines.flatMap(({ isAvailable, capabilities }) =>
    isAvailable && !isHidden ? capabilities.upscale : [],
  )
  const fits = (factor: number) => width * height * factor ** 2 <= upscaleMaxPixels
  return [...new Set(factors)].filter(fits).toSorted((one, other) => one - other)
}

/** Button with the factors by which an image can be enlarged; nothing without any. */
export function UpscaleMenu(props: {
  image: SucceededImage
  creation: Creation
  describedBy: string
  /** Called when a factor was chosen. */
  onTaken?: () => void
}) {
  const { image, creation } = props
  const factors = upscaleFactors(image, creation)
  if (factors.length === 0) return null
  return (
    <Menu
      button={<Trans comment="Button that makes an image larger">Upscale</Trans>}
      buttonClass={buttonClass('plain')}
      describedBy={props.describedBy}
      items={factors.map((factor) => ({
        label: `${factor}×`,
        onSelect() {
          void creation.upscale(image, factor)
          props.onTaken?.()
        },
      }))}
    />
  )
}
