import { LRUCache } from 'lru-cache'
import type { ContentVersion } from '../../db/content-version.ts'
import { SharedTask } from '../../tasks/shared-task.ts'
import type { Representation } from './representation.ts'

/** Total of all entries before compression. */
const maxTotalBytes = 16 * 1_024 * 1_024

/**
 * Larger than any page of the gallery, smaller than a list of a thousand long prompts. `pageTextBytes` bounds the texts
 * of a page to 192 KB, but one character takes up to ten bytes as HTML and JSON.
 */
const maxEntryBytes = 1.5 * 1_024 * 1_024

/** Memory of an entry besides its body, so that many small ones count too. */
const entryOverheadBytes = 2 * 1_024

/** Responses of one version of the database. Concurrent requests for a missing one share its rendering. */
export class ResponseCache {
  #version: ContentVersion | null = null
  #rendering = new Map<string, SharedTask<Representation | null>>()
  readonly #responses = new LRUCache<string, Representation>({
    maxSize: maxTotalBytes,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: ({ body }, key) => entryOverheadBytes + key.length + body.byteLength,
  })

  /**
   * Returns the cached response, or renders it. Rendering is aborted when all clients that wait for it have disconnected.
   *
   * @param disconnected returns the signal of the client's disconnection; called only if there is something to wait for
   * @param render resolves to null for a response that must not be cached
   * @throws AppError `canceled` when the client has disconnected
   */
  async get(
    version: ContentVersion,
    key: string,
    disconnected: () => AbortSignal,
    render: (signal: AbortSignal) => Promise<Representation | null>,
  ): Promise<Representation | null> {
    if (version !== this.#version) {
      this.#version = version
      this.#responses.clear()
      this.#rendering = new Map()
    }
    const cached = this.#responses.get(key)
    if (cached) return cached
    const running = this.#rendering.get(key)
    if (running && !running.isAbandoned) return running.join(disconnected())

    const task = new SharedTask(render)
    void this.#store(this.#rendering.set(key, task), key, task)
    return task.join(disconnected())
  }

  /** Caches the result of a task unless the version has changed since. Failures reach the clients that wait. */
  async #store(
    rendering: Map<string, SharedTask<Representation | null>>,
    key: string,
    task: SharedTask<Representation | null>,
  ): Promise<void> {
    const rendered = await task.result.catch(() => null)
    if (rendering.get(key) === task) rendering.delete(key)
    if (rendered && rendering === this.#rendering) this.#responses.set(key, rendered)
  }
}
