import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { combineChoices, hasChoices, withoutEscapes } from '../../../shared/expand-prompt.ts'
import { countMax } from '../../../shared/limits.ts'

/** Returns the prompts that the choices of a prompt make, itself without any; none if they make no images. */
export function promptsOf(prompt: string): readonly string[] {
  const prompts = hasChoices(prompt) ? combineChoices(prompt, countMax) : [withoutEscapes(prompt)]
  return typeof prompts === 'string' ? [] : prompts
}

/** Returns the number of images that a prompt asks for by its choices; `count` without any. */
export function imageCount(prompt: string, count: number): number {
  return hasChoices(prompt) ? promptsOf(prompt).length || countMax : count
}

/** Returns what the choices of a prompt make, to be shown before generating; undefined for a prompt without any. */
export function useVariations(prompt: string): string | undefined {
  const { i18n, t } = useLingui()
  if (!hasChoices(prompt)) return undefined
  const prompts = combineChoices(prompt, countMax)
  if (prompts === 'too many') {
    return t`${plural(countMax, { one: 'More than # image: leave out some of the choices.', other: 'More than # images: leave out some of the choices.' })}`
  }
  if (typeof prompts === 'string') {
    const escaped = `\\${prompts}`
    return t`The prompt has a “${prompts}” that is not part of a choice. Write ${escaped} for the character.`
  }
  const list = new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(
    // In a direction of their own.
    prompts.map((words) => `\u2068${words}\u2069`),
  )
  return t`${plural(prompts.length, { one: `# image: ${list}`, other: `# images: ${list}` })}`
}
