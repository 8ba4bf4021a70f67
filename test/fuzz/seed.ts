const { RANGOLI_SEED, RANGOLI_LONG } = process.env

/** Seed of random tests; fixed unless `RANGOLI_SEED` is set. */
export const seed = Number(RANGOLI_SEED ?? 20_261_121)

/** True for `npm run test:long`. */
export const isLongRun = RANGOLI_LONG === '1'

/** Parameters of a property test. */
export function tries(numRuns: number): { seed: number; numRuns: number } {
  return { seed, numRuns: isLongRun ? numRuns * 10 : numRuns }
}
