import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, linksOf, pagesForUsers, readPage, root } from './pages.ts'

/** The error of a link on a page; null if its target exists or is on another site. */
function errorFor(page: string, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null
  const [file = '', anchor] = link.split('#')
  const target = file ? path.join(path.dirname(page), file) : page
  if (!existsSync(path.join(root, target))) return `${page}: ${target} does not exist`
  if (anchor === undefined || anchorsOf(readPage(target)).includes(anchor)) return null
  return `${page}: ${target} has no heading ${anchor}`
}

test('finds the pages of the root, docs/ and examples/', () => {
  expect(pagesForUsers()).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/self-hosting.md', 'examples/README.md']),
  )
})

test.each(pagesForUsers())('%s has no broken links', (page) => {
  expect(linksOf(readPage(page)).map((link) => errorFor(page, link))).toEqual(
    linksOf(readPage(page)).map(() => null),
  )
})

describe('the link check', () => {
  test.each([
    { link: 'no-such-page.md', error: 'docs/api.md: docs/no-such-page.md does not exist' },
    { link: '../README.md#no-such-heading', error: 'docs/api.md: README.md has no heading no-such-heading' },
    { link: '#nowhere', error: 'docs/api.md: docs/api.md has no heading nowhere' },
    { link: '../README.md#start', error: null },
    { link: 'https://example.org/no-such-page', error: null },
  ])('reports $link as $error', ({ link, error }) => {
    expect(errorFor('docs/api.md', link)).toBe(error)
  })

  test('ignores links and headings in code', () => {
    expect(linksOf('[a](one.md) and ![b](two.jpg)\n```sh\n[c](three.md)\n```\n`[d](four.md)`')).toEqual([
      'one.md',
      'two.jpg',
    ])
    expect(anchorsOf('# The log, and `more`\n```sh\n# No heading\n```\n')).toEqual(['the-log-and-more'])
  })
})
