import { dimensions } from '../../shared/engines.ts'
import type { Recipe } from '../../shared/images.ts'
import { WrappedText } from '../ui/wrapped-text.tsx'
import styles from './recipe-rows.module.css'
import { UserText } from '../ui/user-text.tsx'

/** The settings of a recipe, without the prompt, which is shown next to them. Rendered in the browser only. */
export function RecipeRows({ recipe }: { recipe: Recipe }) {
  return (
    <dl className={styles['rows']}>
      {rowsOf(recipe).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <UserText text={value}>
              <WrappedText text={value} />
            </UserText>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Lists the known settings of a recipe with their names. */
function rowsOf(recipe: Recipe): (readonly [name: string, value: string])[] {
  const { size, strength, referenceImageIds } = recipe
  const rows: readonly (readonly [string, string | number | null])[] = [
    ['Engine', recipe.engineLabel || recipe.engine],
    ['Model', recipe.model],
    ['Size', size && dimensions(size).join(' × ')],
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
