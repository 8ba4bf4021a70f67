/** @throws if `target` cannot be written, or has files */
export function pack(root: string, build: string, target: string): void

/** Packages that are not bundled into the server. */
export const serverExternals: string[]
