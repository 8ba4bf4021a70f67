import { useLingui } from '@lingui/react/macro'
import type { RecipeStyle } from '../../shared/styles.ts'
import translations from '../../shared/style-names.json'

type NamedStyle = Pick<RecipeStyle, 'id' | 'name'>

const names: Readonly<Record<string, Readonly<Record<string, string>>>> = translations

/** Ids of the styles that ship. */
export const shippedStyles: readonly string[] = Object.keys(names)

/** Returns the name of a style, which is translated if it ships and has not been renamed. */
export function styleName({ id, name }: NamedStyle, language: string): string {
  return (names[id]?.['en'] === name && names[id][language]) || name
}

/** The name of a style, for pages that load the translations when they need them. */
export function StyleName({ style }: { style: NamedStyle }) {
  const { i18n } = useLingui()
  return styleName(style, i18n.locale)
}
