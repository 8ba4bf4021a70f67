import type { Finding } from './finding.ts'

/** Findings as lines to compare: level, text, and after an arrow what to do. */
export function linesOf(findings: readonly Finding[]): string[] {
  return findings.map(
    ({ level, text, advice }) => `${level}: ${text}${advice === undefined ? '' : ` → ${advice}`}`,
  )
}
