import { combineChoices } from '../../../shared/expand-prompt.ts'
import { countMax } from '../../../shared/limits.ts'
import { AppError } from '../../errors/app-error.ts'
import { cleanText } from '../../text/clean-text.ts'

/**
 * Returns the cleaned, different prompts of all combinations of the choices in a prompt, see `combineChoices`.
 *
 * @param count number of images of each
 * @throws AppError `bad_input` for more images than a request may ask for, braces that are no choice, and an empty combination
 */
export function expandPrompt(template: string, count: number): readonly string[] {
  const prompts = combineChoices(template, Math.floor(countMax / count))
  if (prompts === 'too many') {
    throw new AppError('bad_input', `The choices in the prompt ask for more than ${countMax} images.`)
  }
  if (typeof prompts === 'string') throw new AppError('bad_input', describeBrace(prompts))
  // Parts that are clean can be another text together.
  const cleaned = new Set(prompts.map(cleanText))
  if (cleaned.has('')) throw new AppError('bad_input', 'A combination of the choices is empty.')
  return [...cleaned]
}

function describeBrace(brace: string): string {
  return `The prompt has a "${brace}" that is not part of a choice such as {red|blue}; write \\${brace} for the character.`
}
