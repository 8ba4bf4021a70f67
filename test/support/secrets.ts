/** The values of a server's environment that nobody may be told. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /SECRET|TOKEN|API_KEY/.test(name) && value ? [value] : [],
  )
}

/** What has the form of an API key, whosever it is. */
const apiKey = /rgl_[0-9A-Za-z]{40}/

/**
 * Fails where something that a server wrote for its operator holds a secret.
 *
 * @throws Error that says where, and not what
 */
export function rejectSecrets(written: string, secrets: readonly string[]): void {
  for (const secret of [...secrets, ...(written.match(apiKey) ?? [])]) {
    const place = written.indexOf(secret)
    if (place < 0) continue
    const before = written.slice(Math.max(0, place - 200), place)
    throw new Error(`The log holds a secret, after: ${before}`)
  }
}
