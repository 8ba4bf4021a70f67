/** An incompatibility of the installed better-sqlite3 with Node. */
export interface BindingIssue {
  /** True if it is known to abort; false for a version of Node newer than the tested ones. */
  readonly aborts: boolean
  readonly text: string
  readonly fix: string
}

/** See check-installation.mjs. */
export function reportInstallationIssue(): boolean
export function findInstallationIssue(nodeVersion?: string, load?: () => void): string | null
export function findBindingIssue(nodeVersion: string, file?: string): BindingIssue | null
