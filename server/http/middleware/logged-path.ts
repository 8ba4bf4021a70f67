import { invisibleCharacters } from '../../observability/log.ts'

const longest = 200

/**
 * An address as the log may know it: without what stands after `?`, which holds what users search for, and without the
 * names of images and the tokens of accounts, which let in whoever knows them. Characters that would not print as
 * themselves are percent-encoded, as they were when they arrived: a path could clear a terminal or forge a line.
 */
export function loggedPath(path: string): string {
  const isSecret = /^\/(?:uploads|api\/auth)\//.test(path)
  const known = isSecret ? path.replaceAll(/\/(?![a-z-]{1,24}(?=\/|$))[^/]+/g, '/…') : path
  const printable = known.replaceAll(invisibleCharacters, encodeURIComponent)
  return printable.length > longest ? `${printable.slice(0, longest)}…` : printable
}
