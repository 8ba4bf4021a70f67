import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { engineKinds } from '../../shared/engines.ts'
import {
  defaultRequest,
  type EngineEvent,
  type EngineRequest,
  type ImageEngine,
} from '../../server/engines/image-engine.ts'

/** Creates a request with the defaults of the engine. */
export function requestFor(prompt: string): EngineRequest {
  return defaultRequest(randomUUID(), prompt)
}

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
    const prompts = ['A lotus at dawn', '<script>"&\'</script> 🪔', 'मोर '.repeat(1_000)]

    test('has an id, a label and a known kind', () => {
      const { id, kind, label } = createEngine()
      expect(engineKinds).toContain(kind)
      expect(id).not.toBe('')
      expect(label).not.toBe('')
    })

    test.each(prompts)('ends with a complete image that decodes: prompt %#', async (prompt) => {
      const events = await collect(createEngine().generate(requestFor(prompt), signal))
      expect(events.map(({ type }) => type).indexOf('complete')).toBe(events.length - 1)
      for (const event of events) {
        if (event.type === 'progress') continue
        const { bytes } = event
        const { format, width, height } = await sharp(bytes).metadata()
        expect(['jpeg', 'png', 'webp']).toContain(format)
        expect(Math.min(width, height)).toBeGreaterThan(0)
        await sharp(bytes, { failOn: 'warning' }).stats()
      }
    })

    test('generates several images concurrently', async () => {
      const engine = createEngine()
      const all = await Promise.all(
        prompts.map((prompt) => collect(engine.generate(requestFor(prompt), signal))),
      )
      for (const events of all) expect(events.at(-1)?.type).toBe('complete')
    })

    test('throws the abort reason if the signal is aborted before the start', async () => {
      const reason = new Error('canceled')
      const aborted = AbortSignal.abort(reason)
      await expect(collect(createEngine().generate(requestFor('A lotus'), aborted))).rejects.toBe(reason)
      if (!createEngine().isDeterministic) await expect(createEngine().check(aborted)).rejects.toBe(reason)
    })

    test('throws the abort reason if the signal is aborted during a generation', async () => {
      const reason = new Error('canceled')
      const controller = new AbortController()
      const events = collect(createEngine().generate(requestFor('A lotus'), controller.signal))
      controller.abort(reason)
      await expect(events).rejects.toBe(reason)
    })
  })
}
