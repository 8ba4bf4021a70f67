import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Root directory of the repository. */
export const root = path.resolve(import.meta.dirname, '../..')

/** Markdown pages for users, in the root, docs/ and examples/, as paths from the root. */
export function pagesForUsers(): string[] {
  const below = (folder: string) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    )
  return [...readdirSync(root), ...below('docs'), ...below('examples')].filter(
    (file) => file.endsWith('.md') && !file.includes('node_modules'),
  )
}

/** Text of a page. */
export function readPage(page: string): string {
  return readFileSync(path.join(root, page), 'utf8')
}

/** Fenced code blocks of a page. */
export function fencesOf(text: string): { language: string; code: string }[] {
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

/** Link targets of a page, without those in code. */
export function linksOf(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** Anchors of a page's headings, as GitHub derives them. */
export function anchorsOf(text: string): string[] {
  const headings = text.replace(/^```[^]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
