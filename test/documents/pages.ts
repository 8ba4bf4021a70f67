import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The project's folder. */
export const root = path.resolve(import.meta.dirname, '../..')

/** What users read: the pages of the root, of docs/ and of examples/, as paths from the root. */
export function pagesForUsers(): string[] {
  const below = (folder: string) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    )
  return [...readdirSync(root), ...below('docs'), ...below('examples')].filter(
    (file) => file.endsWith('.md') && !file.includes('node_modules'),
  )
}

/** A page's text. */
export function readPage(page: string): string {
  return readFileSync(path.join(root, page), 'utf8')
}

/** The code that a page shows, fence by fence. */
export function fencesOf(text: string): { language: string; code: string }[] {
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

/** Where a page leads, without what its code says. */
export function linksOf(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** What a page's headings can be linked by, as GitHub makes it of their text. */
export function anchorsOf(text: string): string[] {
  const headings = text.replace(/^```[^]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
