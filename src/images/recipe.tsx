import { Trans, useLingui } from '@lingui/react/macro'
import { dimensions } from '../../shared/engines.ts'
import type { Recipe } from '../../shared/images.ts'
import { UserText } from '../ui/user-text.tsx'
import { WrappedText } from '../ui/wrapped-text.tsx'
import styles from './recipe.module.css'

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

/** Words of the prompt that a pattern shows. @param words null for an image whose engine does not report them */
export function DrawnFrom({ words }: { words: readonly string[] | null }) {
  const { i18n } = useLingui()
  if (!words) return null
  const list = new Intl.ListFormat(i18n.locales, { type: 'unit', style: 'short' })
    .formatToParts(words)
    .map(({ type, value }) => (type === 'element' ? <UserText key={value} text={value} /> : value))
  return (
    <p className={styles['words']}>
      {words.length === 0 ? (
        <Trans>An ornament: the engine knows no word of the prompt.</Trans>
      ) : (
        <Trans>Drawn from: {list}</Trans>
      )}
    </p>
  )
}
