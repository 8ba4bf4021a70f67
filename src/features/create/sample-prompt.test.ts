import { expect, test, vi } from 'vitest'
import { samplePrompts } from '../../../shared/sample-prompts.ts'
import { anotherSamplePrompt } from './sample-prompt.ts'

test('picks a sample prompt other than the current one', () => {
  for (const [index, current] of samplePrompts.entries()) {
    vi.spyOn(Math, 'random').mockReturnValue(index / samplePrompts.length)
    const next = anotherSamplePrompt(current)
    expect(samplePrompts).toContain(next)
    expect(next).not.toBe(current)
  }
})
