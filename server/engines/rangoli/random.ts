import { createHash } from 'node:crypto'

/** A list with at least one item, so that picking from it always succeeds. */
export type NonEmpty<T> = readonly [T, ...T[]]

/** Pseudo-random number generator; the same seed gives the same numbers on every machine. */
export interface Random {
  /** Returns a number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number
  /** Returns an integer from `low` to `high`, both inclusive. */
  integer(low: number, high: number): number
  /** Returns true with the given probability, from 0 to 1. */
  chance(probability: number): boolean
  pick<T>(list: NonEmpty<T>): T
  /** Creates an independent generator, so that more draws in one part of an image do not change the others. */
  fork(label: string): Random
}

/** Creates a generator from a seed of any length. */
export function createRandom(seed: string): Random {
  const next = sfc32(createHash('sha256').update(seed).digest())
  const between = (low: number, high: number) => low + next() * (high - low)
  return {
    between,
    integer: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => cyclicAt(list, Math.floor(next() * list.length)),
    fork: (label) => createRandom(`${seed}/${label}`),
  }
}

/** Returns the item at `index` modulo the length of the list. */
export function cyclicAt<T>(list: NonEmpty<T>, index: number): T {
  return list[index % list.length] ?? list[0]
}

/**
 * The sfc32 generator by Chris Doty-Humphrey: 128 bits of state, numbers from 0 up to, but not including, 1.
 *
 * @see https://pracrand.sourceforge.net/
 */
function sfc32(seed: Buffer): () => number {
  let a = seed.readInt32LE(0)
  let b = seed.readInt32LE(4)
  let c = seed.readInt32LE(8)
  let counter = seed.readInt32LE(12)
  return () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
}
