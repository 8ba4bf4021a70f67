import { useId, useState } from 'react'
import type { Recipe } from '../../../shared/images.ts'
import { infotext } from '../../../shared/infotext.ts'
import { copyText } from '../../browser/apis.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { UnfoldIcon } from '../../ui/icons.tsx'
import { WrappedText } from '../../ui/text.tsx'
import { sizeLabel } from './form-options.ts'
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
        Settings
      </button>
      <div id={id} hidden={!isOpen} className={styles['panel']}>
        {isOpen && (
          <>
            <dl className={styles['rows']}>
              {rowsOf(recipe).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <WrappedText text={value} />
                  </dd>
                </div>
              ))}
            </dl>
            <div className={styles['actions']}>
              <button
                type="button"
                className={styles['action']}
                aria-disabled={isBusy}
                onClick={() => !isBusy && props.onUse()}
              >
                Use these settings
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
  const announce = useAnnounce()
  const [label, setLabel] = useState('Copy')
  async function copy() {
    const isCopied = await copyText(infotext(recipe))
    setLabel(isCopied ? 'Copied' : 'Not allowed')
    announce(isCopied ? 'The settings are copied.' : 'The browser does not allow copying.')
  }
  return (
    <button type="button" className={styles['action']} onClick={() => void copy()}>
      {label}
    </button>
  )
}

/** Lists the known settings of a recipe with their names, without the prompt, which is shown next to it. */
function rowsOf(recipe: Recipe): (readonly [name: string, value: string])[] {
  const { size, strength, referenceImageIds } = recipe
  const rows: readonly (readonly [string, string | number | null])[] = [
    ['Engine', recipe.engineLabel || recipe.engine],
    ['Model', recipe.model],
    ['Size', size && sizeLabel(size)],
    ['Seed', recipe.seed],
    ['Steps', recipe.steps],
    ['Sampler', recipe.sampler],
    ['Scheduler', recipe.scheduler],
    ['CFG scale', recipe.cfgScale],
    ['Negative prompt', recipe.negativePrompt],
    ['Reference images', referenceImageIds.length || null],
    ['Strength', strength],
  ]
  return rows.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, String(value)] as const],
  )
}
