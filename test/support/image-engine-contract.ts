import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { EngineEvent, ImageEngine } from '../../server/engines/image-engine.ts'

async function collect(events: AsyncIterable<EngineEvent>): Promise<EngineEvent[]> {
  const all: EngineEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/**
 * Contract tests of the `ImageEngine` interface.
 *
 * @param createEngine creates an engine that generates an image for any prompt
 */
export function testImageEngine(createEngine: () => ImageEngine): void {
  describe('image engine contract', () => {
    const { signal } = new AbortController()
    const prompts = [
      'A lotus at dawn',
      'दीवाली की रात 🪔',
      '<script>"&\'</script>',
      'x',
      'मोर '.repeat(1_000),
    ]

    test('has a name and a model', () => {
      const { name, model } = createEngine()
      expect(['rangoli', 'openai']).toContain(name)
      expect(model).not.toBe('')
    })

    test.each(prompts)('ends with a complete image that decodes: prompt %#', async (prompt) => {
      const events = await collect(createEngine().generate(prompt, signal))
      expect(events.map(({ type }) => type).indexOf('complete')).toBe(events.length - 1)
      for (const { bytes } of events) {
        const { format, width, height } = await sharp(bytes).metadata()
        expect(['jpeg', 'png', 'webp']).toContain(format)
        expect(Math.min(width, height)).toBeGreaterThan(0)
        await sharp(bytes, { failOn: 'warning' }).stats()
      }
    })

    test('generates several images concurrently', async () => {
      const engine = createEngine()
      const all = await Promise.all(
        prompts.slice(0, 3).map((prompt) => collect(engine.generate(prompt, signal))),
      )
      for (const events of all) expect(events.at(-1)?.type).toBe('complete')
    })

    test('throws the abort reason if the signal is aborted before the start', async () => {
      const reason = new Error('canceled')
      await expect(collect(createEngine().generate('A lotus', AbortSignal.abort(reason)))).rejects.toBe(
        reason,
      )
    })

    test('throws the abort reason if the signal is aborted during a generation', async () => {
      const reason = new Error('canceled')
      const controller = new AbortController()
      const events = collect(createEngine().generate('A lotus', controller.signal))
      controller.abort(reason)
      await expect(events).rejects.toBe(reason)
    })
  })
}
