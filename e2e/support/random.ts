/** Numbers from 0 to 1 that look like no order, and are the same at each run. */
export function createRandom(first: number): () => number {
  let state = first
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
