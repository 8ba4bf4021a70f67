const { RANGOLI_SEED, RANGOLI_LONG } = process.env

/** What all that is random in tests begins with: the same at each run, and another where RANGOLI_SEED is set. */
export const seed = Number(RANGOLI_SEED ?? 20_261_121)

/** Whether there is time for the whole of a test that is short by default. */
export const isLongRun = RANGOLI_LONG === '1'

/** How often a property is tried. */
export function tries(numRuns: number): { seed: number; numRuns: number } {
  return { seed, numRuns: isLongRun ? numRuns * 10 : numRuns }
}
