import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Recipe } from '../../shared/images.ts'
import { lazyPart } from '../ui/loading.tsx'
import { UserText } from '../ui/text.tsx'
import { engineLabel } from './image.tsx'
import { WrappedText } from '../ui/wrapped-text.tsx'
import styles from './recipe.module.css'

const StyleName = lazyPart(async () => (await import('./style-name.tsx')).StyleName)

/** Parameters of models that engines report as settings of their own. */
const reported = new Set(['steps', 'sampler', 'scheduler', 'cfg_scale'])

/** The settings of a recipe, without the prompt, which is shown next to them. Rendered in the browser only. */
export function RecipeRows({ recipe }: { recipe: Recipe }) {
  const { i18n, t } = useLingui()
  const { size, strength, referenceImageIds, upscale = null } = recipe
  const rows: readonly (readonly [name: string, value: string | number | null])[] = [
    [t`Engine`, engineLabel(recipe.engineLabel, i18n) || recipe.engine],
    [t`Model`, recipe.model],
    [t`Size`, size?.replace('x', ' × ') ?? null],
    [t`Seed`, recipe.seed],
    [t`Steps`, recipe.steps],
    [t`Sampler`, recipe.sampler],
    [t`Scheduler`, recipe.scheduler],
    [t`CFG scale`, recipe.cfgScale],
    [t`Negative prompt`, recipe.negativePrompt],
    [t`Reference images`, referenceImageIds.length || null],
    [t`Strength`, strength],
    [t`LoRAs`, (recipe.loras ?? []).map(({ name, weight }) => `${name} ${weight}`).join(', ')],
    [t({ message: 'Enlarged', comment: 'Factor by which an image was enlarged' }), upscale && `${upscale}×`],
    ...Object.entries(recipe.parameters ?? {})
      .filter(([name]) => recipe.steps === null || !reported.has(name))
      // Images are counted, like reference images.
      .map(
        ([name, value]) =>
          [parameterLabel(name), recipe.parameterTypes?.[name] === 'image' ? 1 : String(value)] as const,
      ),
  ]
  return (
    <dl className={`stack tightest tabular breakable ${styles['rows']}`}>
      {recipe.style && (
        <div>
          <dt>{t`Style`}</dt>
          <dd dir="auto">
            <StyleName style={recipe.style} />
          </dd>
        </div>
      )}
      {rows
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <ImageFact key={name} label={name}>
            <UserText text={String(value)}>
              <WrappedText text={String(value)} />
            </UserText>
          </ImageFact>
        ))}
    </dl>
  )
}

/** A fact of a list about an image. */
export function ImageFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/**
 * Words of the prompt that a pattern shows, and those that it does not.
 *
 * @param drawnFrom null for an image whose engine does not report them
 * @param near what can be drawn in place of words that are not
 */
export function DrawnFrom(props: {
  drawnFrom: readonly string[] | null
  notDrawn: readonly string[] | null
  near?: Readonly<Record<string, readonly string[]>>
}) {
  const { drawnFrom, notDrawn, near = {} } = props
  if (!drawnFrom) return null
  const list = chips(drawnFrom)
  const missing = chips(notDrawn ?? [])
  const others = chips([...new Set(Object.values(near).flat())])
  return (
    <p className={`quiet small breakable ${styles['words']}`}>
      {drawnFrom.length === 0 ? (
        <Trans>An ornament: the engine knows no word of the prompt.</Trans>
      ) : (
        <Trans>Drawn from: {list}</Trans>
      )}
      {missing.length > 0 && (
        <span className={styles['missing']}>
          <Trans>Not drawn: {missing}</Trans>
          {others.length > 0 && (
            <>
              {' '}
              <Trans>Try {others}</Trans>
            </>
          )}
        </span>
      )}
    </p>
  )
}

function chips(words: readonly string[]) {
  return words.flatMap((word) => [
    <UserText as="span" className={styles['chip']} key={word} text={word} />,
    // Apart for those who copy or listen to the text.
    ' ',
  ])
}

/** Formats the name of a parameter of a model for users, such as `aspect ratio`. */
export function parameterLabel(name: string): string {
  return name.replaceAll('_', ' ')
}
