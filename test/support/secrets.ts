/** Returns the values of a server's environment that must not be disclosed. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /SECRET|TOKEN|API_KEY/.test(name) && value ? [value] : [],
  )
}

/** Any API key. */
const apiKey = /rgl_[0-9A-Za-z]{40}/

/**
 * Verifies that a log contains no secret.
 *
 * @throws Error with the position of a secret, but not the secret
 */
export function rejectSecrets(written: string, secrets: readonly string[]): void {
  for (const secret of [...secrets, ...(written.match(apiKey) ?? [])]) {
    const place = written.indexOf(secret)
    if (place < 0) continue
    const before = written.slice(Math.max(0, place - 200), place)
    throw new Error(`The log contains a secret, after: ${before}`)
  }
}
