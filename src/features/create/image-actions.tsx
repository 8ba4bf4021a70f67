import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { Recipe, SucceededImage } from '../../../shared/images.ts'
import { infotext } from '../../../shared/infotext.ts'
import { useDownload } from '../../images/load-image.ts'
import { RecipeRows } from '../../images/recipe.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { DownloadIcon, Icon, UnfoldIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './image-actions.module.css'

/** Button that downloads an image, with an error if that fails. */
export function DownloadImage({ image, describedBy }: { image: SucceededImage; describedBy: string }) {
  const { t } = useLingui()
  const { failure, download } = useDownload('images', image.id)
  return (
    <>
      <button
        type="button"
        className={`iconButton hoverable ${styles['action']}`}
        aria-label={t`Download image`}
        title={t`Download image`}
        aria-describedby={describedBy}
        onClick={download}
      >
        <DownloadIcon />
      </button>
      <Notice>{failure}</Notice>
    </>
  )
}

/** Button that deletes an image. */
export function DeleteButton(props: { label?: string; describedBy: string; onClick: () => void }) {
  const { t } = useLingui()
  const label = props.label ?? t`Delete image`
  return (
    <button
      type="button"
      className={`iconButton hoverable ${styles['action']}`}
      aria-label={label}
      title={label}
      aria-describedby={props.describedBy}
      onClick={props.onClick}
    >
      <DeleteIcon />
    </button>
  )
}

function DeleteIcon() {
  return (
    <Icon>
      <path d="M3.5 5.5h13M8 5.5v-2h4v2M5.5 5.5l.75 11h7.5l.75-11M8.5 8.5l.25 5M11.5 8.5l-.25 5" />
    </Icon>
  )
}

/** Settings that an image was generated with. */
export function RecipeDetails(props: {
  recipe: Recipe
  /** True if they are shown without a press; by default they are not. */
  isOpenAtFirst?: boolean
  describedBy?: string
  /** True while the form can't take settings. */
  isBusy: boolean
  onUse: () => void
}) {
  const { t } = useLingui()
  const { recipe, isBusy } = props
  const id = useId()
  const [isOpen, setIsOpen] = useState(props.isOpenAtFirst ?? false)
  return (
    <div className="small">
      <button
        type="button"
        className={`textButton ${styles['toggle']}`}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-describedby={props.describedBy}
        onClick={() => setIsOpen(!isOpen)}
      >
        <UnfoldIcon className={`foldArrow ${styles['arrow']}`} />
        <Trans comment="Settings that an image was generated with">Settings</Trans>
      </button>
      <div id={id} hidden={!isOpen} className={styles['panel']}>
        {isOpen && (
          <>
            <RecipeRows recipe={recipe} />
            <div className={`row ${styles['actions']}`}>
              <button
                type="button"
                className={`textButton underlinable ${styles['link']}`}
                aria-disabled={isBusy}
                onClick={() => !isBusy && props.onUse()}
              >
                <Trans>Use these settings</Trans>
              </button>
              <CopyButton label={t`Copy`} text={infotext(recipe)} copied={t`The settings are copied.`} />
            </div>
          </>
        )}
      </div>
    </div>
  )
}
