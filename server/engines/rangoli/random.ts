import { createHash } from 'node:crypto'

/** A list that is known to hold something, so that picking from it always gives an answer. */
export type NonEmpty<T> = readonly [T, ...T[]]

/** A stream of numbers that is the same for the same seed, on every machine. */
export interface Random {
  /** From `low` up to, not including, `high`. */
  between(low: number, high: number): number
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: NonEmpty<T>): T
  /** Another stream, so that what one part of an image draws does not move the others. */
  fork(label: string): Random
}

export function createRandom(seed: string): Random {
  const next = smallFastCounter(createHash('sha256').update(seed).digest())
  const between = (low: number, high: number) => low + next() * (high - low)
  return {
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => at(list, Math.floor(next() * list.length)),
    fork: (label) => createRandom(`${seed}/${label}`),
  }
}

/** The entry at `index`, starting over after the last one. */
export function at<T>(list: NonEmpty<T>, index: number): T {
  return list[index % list.length] ?? list[0]
}

/** Chris Doty-Humphrey's sfc32: four words of state, numbers from 0 up to 1. */
function smallFastCounter(seed: Buffer): () => number {
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
