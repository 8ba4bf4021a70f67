import { expect, test, vi } from 'vitest'
import { anotherSamplePrompt, samplePrompts } from './sample-prompts.ts'

test('picks a sample prompt other than the current one', () => {
  for (const [index, current] of samplePrompts.entries()) {
    vi.spyOn(Math, 'random').mockReturnValue(index / samplePrompts.length)
    const next = anotherSamplePrompt(current)
    expect(samplePrompts).toContain(next)
    expect(next).not.toBe(current)
  }
})
