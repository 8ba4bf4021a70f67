import type { PageData } from '../../shared/page-data.ts'

/** Reads what the server wrote into the document for this page. */
export function readPageData(): PageData {
  const element = document.getElementById('page-data')
  if (!element) throw new Error('The document has no #page-data')
  return JSON.parse(element.textContent) as PageData
}
