import { useLingui } from '@lingui/react/macro'
import { dimensions } from '../../shared/engines.ts'
import type { Recipe } from '../../shared/images.ts'
import { WrappedText } from '../ui/wrapped-text.tsx'
import styles from './recipe-rows.module.css'
import { UserText } from '../ui/user-text.tsx'

/** The settings of a recipe, without the prompt, which is shown next to them. Rendered in the browser only. */
export function RecipeRows({ recipe }: { recipe: Recipe }) {
  const { t } = useLingui()
  const { size, strength, referenceImageIds } = recipe
  const rows: readonly (readonly [name: string, value: string | number | null])[] = [
    [t`Engine`, recipe.engineLabel || recipe.engine],
    [t`Model`, recipe.model],
    [t`Size`, size && dimensions(size).join(' × ')],
    [t`Seed`, recipe.seed],
    [t`Steps`, recipe.steps],
    [t`Sampler`, recipe.sampler],
    [t`Scheduler`, recipe.scheduler],
    [t`CFG scale`, recipe.cfgScale],
    [t`Negative prompt`, recipe.negativePrompt],
    [t`Reference images`, referenceImageIds.length || null],
    [t`Strength`, strength],
  ]
  return (
    <dl className={styles['rows']}>
      {rows
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <UserText text={String(value)}>
                <WrappedText text={String(value)} />
              </UserText>
            </dd>
          </div>
        ))}
    </dl>
  )
}
