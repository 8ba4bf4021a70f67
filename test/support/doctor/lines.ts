import type { Line } from '../../../server/ops/doctor/report.ts'

/** Formats lines to compare: level, text, and after an arrow the fix. */
export function linesOf(lines: readonly Line[]): string[] {
  return lines.map(({ level, text, fix }) => `${level}: ${text}${fix === undefined ? '' : ` → ${fix}`}`)
}
