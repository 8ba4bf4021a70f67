const longest = 200

/**
 * An address as the log may know it: without what stands after `?`, which holds what people search for, and without the
 * names of pictures and the tokens of accounts, which let in whoever knows them.
 */
export function loggedPath(path: string): string {
  const isSecret = /^\/(?:uploads|api\/auth)\//.test(path)
  const known = isSecret ? path.replaceAll(/\/(?![a-z-]{1,24}(?=\/|$))[^/]+/g, '/…') : path
  return known.length > longest ? `${known.slice(0, longest)}…` : known
}
