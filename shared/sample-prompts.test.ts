import { expect, test, vi } from 'vitest'
import { anotherSamplePrompt, samplePrompts, translatedSamplePrompts } from './sample-prompts.ts'

test('picks a sample prompt other than the current one', () => {
  for (const [index, current] of samplePrompts.entries()) {
    vi.spyOn(Math, 'random').mockReturnValue(index / samplePrompts.length)
    const next = anotherSamplePrompt(current, 'en')
    expect(samplePrompts).toContain(next)
    expect(next).not.toBe(current)
  }
})

test('picks a sample prompt in the language of the page', () => {
  expect(translatedSamplePrompts['hi']).toContain(anotherSamplePrompt('', 'hi'))
  expect(samplePrompts).toContain(anotherSamplePrompt('', 'xx'))
})
