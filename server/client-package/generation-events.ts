import type { ImageEvent, SucceededImage } from '../../shared/images.ts'

/** A finished image, with the address of its JPEG. */
export interface GeneratedImage extends SucceededImage {
  /** Absolute URL of the JPEG. It needs no token unless a post of the image is private. */
  readonly url: string
}

/** Event of a generation: those of `watchImages`, and `finished` once an image has succeeded. */
export type GenerationEvent = ImageEvent | { readonly type: 'finished'; readonly image: GeneratedImage }

interface Reader {
  readonly pending: Map<string, GenerationEvent>
  wake: () => void
}

/**
 * Events of one generation, for any number of readers. Stays small if nothing reads, or a reader is slow: of queue positions,
 * progress and previews only the latest of an image is kept.
 */
export class GenerationEvents {
  readonly #soFar = new Map<string, GenerationEvent>()
  readonly #readers = new Set<Reader>()
  #end: { readonly error?: unknown } | null = null

  push(event: GenerationEvent): void {
    if (event.type === 'finished') this.#forgetProgress(event.image.id)
    for (const events of [this.#soFar, ...[...this.#readers].map(({ pending }) => pending)]) {
      const key = keyOf(event)
      // Deleted first, as a map keeps the position of a key that is set again.
      events.delete(key)
      events.set(key, event)
    }
    this.#wakeReaders()
  }

  /** Ends the iterations once they have yielded all events, with an error if there is one. */
  end(result: { readonly error?: unknown }): void {
    this.#end = result
    this.#wakeReaders()
  }

  async *read(): AsyncGenerator<GenerationEvent, void> {
    const reader: Reader = { pending: new Map(this.#soFar), wake: () => {} }
    this.#readers.add(reader)
    try {
      for (;;) {
        // Includes events that are added during the loop.
        for (const [key, event] of reader.pending) {
          reader.pending.delete(key)
          yield event
        }
        if (this.#end && 'error' in this.#end) throw this.#end.error
        if (this.#end) return
        await new Promise<void>((resolve) => (reader.wake = resolve))
      }
    } finally {
      this.#readers.delete(reader)
    }
  }

  #forgetProgress(id: string): void {
    for (const type of ['queue', 'progress', 'preview', 'stopping']) this.#soFar.delete(`${type} ${id}`)
  }

  #wakeReaders(): void {
    for (const { wake } of this.#readers) wake()
  }
}

/** Returns the key of an event. A later event of the same key replaces it. */
function keyOf(event: GenerationEvent): string {
  if (event.type === 'state') return `state ${event.image.id} ${event.image.state}`
  return `${event.type} ${event.type === 'finished' ? event.image.id : event.id}`
}
