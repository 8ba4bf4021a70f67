import { countMax } from '../../../shared/limits.ts'
import { AppError } from '../../errors/app-error.ts'
import { cleanText } from '../../text/clean-text.ts'

/** A character, or one that a backslash makes a plain one. */
const character = String.raw`(?:[^{}\\]|\\[{}|]|\\(?![{}|]))`

/** A choice such as `{red|blue}`, the text up to the next choice, or a brace without the other one. */
const parts = new RegExp(String.raw`\{(${character}*)\}|${character}+|[{}]`, 'g')

/**
 * Returns the prompts of all combinations of the choices in a prompt, such as `a {red|blue} kite`, in the order of their words.
 *
 * @param count number of images of each
 * @throws AppError `bad_input` for more images than a request may ask for, braces that are no choice, and an empty combination
 */
export function expandPrompt(template: string, count: number): readonly string[] {
  let prompts: readonly string[] = ['']
  for (const [part, choices] of template.matchAll(parts)) {
    if (part === '{' || part === '}') throw new AppError('bad_input', describeBrace(part))
    const words = choices === undefined ? [part] : choices.split(/(?<!\\)\|/)
    if (prompts.length * words.length * count > countMax) {
      throw new AppError('bad_input', `The choices in the prompt ask for more than ${countMax} images.`)
    }
    prompts = prompts.flatMap((prompt) => words.map((word) => prompt + word.replaceAll(/\\([{}|])/g, '$1')))
  }
  // Parts that are clean can be another text together.
  const cleaned = prompts.map(cleanText)
  if (cleaned.includes('')) throw new AppError('bad_input', 'A combination of the choices is empty.')
  return cleaned
}

function describeBrace(brace: string): string {
  return `The prompt has a "${brace}" that is not part of a choice such as {red|blue}; write \\${brace} for the character.`
}
