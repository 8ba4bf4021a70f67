/** Number of calls that are made at once, in one request. */
const batchSize = 5

/** Calls `work` for all items, batch by batch. @throws the first error, after the other calls of its batch */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  { signal, progress }: { readonly signal?: AbortSignal; readonly progress?: (done: number) => void } = {},
): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    if (signal?.aborted) return
    const results = await Promise.allSettled(items.slice(start, start + batchSize).map(work))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    progress?.(Math.min(start + batchSize, items.length))
  }
}
