/** A character, or one that a backslash makes a plain one. */
const character = String.raw`(?:[^{}\\]|\\[{}|]|\\(?![{}|]))`

/** A choice such as `{red|blue}`, the text up to the next choice, or a brace without the other one. */
const parts = new RegExp(String.raw`\{(${character}*)\}|${character}+|[{}]`, 'g')

/** Why a prompt has no combinations: a brace without the other one, or too many. */
export type ExpansionIssue = '{' | '}' | 'too many'

/** Reports whether a prompt has a choice of several words, so that someone who types it means to expand it. */
export function hasChoices(prompt: string): boolean {
  return [...prompt.matchAll(parts)].some(
    ([, choices]) => choices !== undefined && wordsOf(choices).length > 1,
  )
}

/** Returns the prompts of all combinations of the choices in a prompt, such as `a {red|blue} kite`, in the order of their words. */
export function combineChoices(template: string, max: number): readonly string[] | ExpansionIssue {
  let prompts: readonly string[] = ['']
  for (const [part, choices] of template.matchAll(parts)) {
    if (part === '{' || part === '}') return part
    const words = choices === undefined ? [part] : wordsOf(choices)
    if (prompts.length * words.length > max) return 'too many'
    prompts = prompts.flatMap((prompt) => words.map((word) => prompt + word.replaceAll(/\\([{}|])/g, '$1')))
  }
  return prompts
}

function wordsOf(choices: string): string[] {
  return choices.split(/(?<!\\)\|/)
}
