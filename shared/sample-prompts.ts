import all from './sample-prompts.json'

const { en, ...translated } = all

/** Prompts for 'Surprise me' and for the seeded gallery. */
export const samplePrompts: readonly string[] = en

/** Prompts for 'Surprise me' on pages in other languages than English, by BCP 47 tag. */
export const translatedSamplePrompts: Readonly<Record<string, readonly string[]>> = translated

/** Picks a random sample prompt other than the current one, for a page in a language. */
export function anotherSamplePrompt(current: string, language: string): string {
  const prompts = translatedSamplePrompts[language] ?? samplePrompts
  const others = prompts.filter((prompt) => prompt !== current.trim())
  return others[Math.floor(Math.random() * others.length)] ?? current
}
