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

/** Returns what a prompt without choices asks for, with plain characters in place of its escapes; one with choices as it is. */
export function withoutEscapes(prompt: string): string {
  return hasChoices(prompt) ? prompt : unescape(prompt)
}

/** Returns the text that asks for exactly this prompt, also where it looks like a choice or an escape. */
export function escapeChoices(prompt: string): string {
  return hasChoices(prompt) || unescape(prompt) !== prompt
    ? prompt.replaceAll(/[{}|]/g, String.raw`\$&`)
    : prompt
}

/** Returns the different prompts of all combinations of the choices in a prompt, such as `a {red|blue} kite`, in the order of their words. */
export function combineChoices(template: string, max: number): readonly string[] | ExpansionIssue {
  let prompts: readonly string[] = ['']
  for (const [part, choices] of template.matchAll(parts)) {
    if (part === '{' || part === '}') return part
    const words = choices === undefined ? [part] : wordsOf(choices)
    prompts = [...new Set(prompts.flatMap((prompt) => words.map((word) => prompt + unescape(word))))]
    if (prompts.length > max) return 'too many'
  }
  return prompts
}

function unescape(text: string): string {
  return text.replaceAll(/\\([{}|])/g, '$1')
}

function wordsOf(choices: string): string[] {
  return choices.split(/(?<!\\)\|/)
}
