/** Creates a seeded pseudo-random generator of numbers from 0 up to, but not including, 1. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
