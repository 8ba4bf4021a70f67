import { samplePrompts } from '../../../shared/sample-prompts.ts'

/** Picks a random sample prompt other than the current one. */
export function anotherSamplePrompt(current: string): string {
  const others = samplePrompts.filter((prompt) => prompt !== current.trim())
  return others[Math.floor(Math.random() * others.length)] ?? current
}
