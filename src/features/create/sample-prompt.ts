import { samplePrompts } from '../../../shared/sample-prompts.ts'

/** A random sample prompt, another one than stands there now. */
export function anotherSamplePrompt(current: string): string {
  const others = samplePrompts.filter((prompt) => prompt !== current.trim())
  return others[Math.floor(Math.random() * others.length)] ?? current
}
