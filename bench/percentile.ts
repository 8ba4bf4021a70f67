/** The figure that `part` of all figures do not exceed: 0.95 for the 95th percentile. */
export function percentile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil(sorted.length * part) - 1, 0)] ?? NaN
}
