/**
 * A key that no other click has, so that a call that is sent twice is done once. `crypto.randomUUID` is
 * missing where a site is served over plain HTTP, as self-hosted ones in a home network are.
 */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
