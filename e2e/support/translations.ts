import { readFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.resolve(import.meta.dirname, '../../src/i18n/locales')

/**
 * Returns a function that translates messages as the pages do: from the English message of the source code and its context to
 * that of a language, or to itself if it has none.
 */
export function translator(language: string): (message: string, context?: string) => string {
  const text = readFileSync(path.join(folder, `${language}.po`), 'utf8')
  const entries = text.matchAll(/^(?:msgctxt "(.*)"\n)?msgid "(.*)"\nmsgstr "(.+)"$/gm)
  const translations = new Map([...entries].map(([, context, id, to]) => [JSON.stringify([id, context]), to]))
  return (message, context) => translations.get(JSON.stringify([message, context])) ?? message
}
