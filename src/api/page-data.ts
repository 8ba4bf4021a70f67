import type { PageData } from '../../shared/page-data.ts'

/** Parses the page data that the server embedded in the document. */
export function readPageData(): PageData {
  const element = document.getElementById('page-data')
  if (!element) throw new Error('The document has no #page-data')
  return JSON.parse(element.textContent) as PageData
}
