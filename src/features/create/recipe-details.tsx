import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { Recipe } from '../../../shared/images.ts'
import { infotext } from '../../../shared/infotext.ts'
import { copyText } from '../../browser/apis.ts'
import { RecipeRows } from '../../images/recipe.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { UnfoldIcon } from '../../ui/icons.tsx'
import styles from './recipe-details.module.css'

/** How an image was generated, closed at first. */
export function RecipeDetails(props: {
  recipe: Recipe
  describedBy?: string
  /** True while the form can't take settings. */
  isBusy: boolean
  onUse: () => void
}) {
  const { recipe, isBusy } = props
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={styles['recipe']}>
      <button
        type="button"
        className={styles['toggle']}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-describedby={props.describedBy}
        onClick={() => setIsOpen(!isOpen)}
      >
        <UnfoldIcon className={styles['arrow']} />
        <Trans comment="Settings that an image was generated with">Settings</Trans>
      </button>
      <div id={id} hidden={!isOpen} className={styles['panel']}>
        {isOpen && (
          <>
            <RecipeRows recipe={recipe} />
            <div className={styles['actions']}>
              <button
                type="button"
                className={styles['action']}
                aria-disabled={isBusy}
                onClick={() => !isBusy && props.onUse()}
              >
                <Trans>Use these settings</Trans>
              </button>
              <CopyRecipe recipe={recipe} />
            </div>
          </>
        )}
      </div>
    </div>
  )
}

function CopyRecipe({ recipe }: { recipe: Recipe }) {
  const { t } = useLingui()
  const announce = useAnnounce()
  const [isCopied, setIsCopied] = useState<boolean | null>(null)
  async function copy() {
    const isAllowed = await copyText(infotext(recipe))
    setIsCopied(isAllowed)
    announce(isAllowed ? t`The settings are copied.` : t`The browser does not allow copying.`)
  }
  return (
    <button type="button" className={styles['action']} onClick={() => void copy()}>
      {isCopied === null ? t`Copy` : isCopied ? t`Copied` : t`Not allowed`}
    </button>
  )
}
