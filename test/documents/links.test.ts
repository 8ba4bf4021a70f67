import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, linksOf, pagesForUsers, readPage, root } from './pages.ts'

/** What is wrong with a link of a page; null where it leads somewhere, or to another site. */
function errorFor(page: string, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null
  const [file = '', anchor] = link.split('#')
  const target = file ? path.join(path.dirname(page), file) : page
  if (!existsSync(path.join(root, target))) return `${page}: there is no ${target}`
  if (anchor === undefined || anchorsOf(readPage(target)).includes(anchor)) return null
  return `${page}: ${target} has no heading ${anchor}`
}

test('there are pages to read', () => {
  expect(pagesForUsers()).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/self-hosting.md', 'examples/README.md']),
  )
})

test.each(pagesForUsers())('every link of %s leads somewhere', (page) => {
  expect(linksOf(readPage(page)).map((link) => errorFor(page, link))).toEqual(
    linksOf(readPage(page)).map(() => null),
  )
})

describe('a link that leads nowhere', () => {
  test.each([
    { link: 'no-such-page.md', fault: 'docs/api.md: there is no docs/no-such-page.md' },
    { link: '../README.md#no-such-heading', fault: 'docs/api.md: README.md has no heading no-such-heading' },
    { link: '#nowhere', fault: 'docs/api.md: docs/api.md has no heading nowhere' },
    { link: '../README.md#start', fault: null },
    { link: 'https://example.org/no-such-page', fault: null },
  ])('is found: $link', ({ link, fault }) => {
    expect(errorFor('docs/api.md', link)).toBe(fault)
  })

  test('is looked for in prose, and headings are not looked for in code', () => {
    expect(linksOf('[a](one.md) and ![b](two.jpg)\n```sh\n[c](three.md)\n```\n`[d](four.md)`')).toEqual([
      'one.md',
      'two.jpg',
    ])
    expect(anchorsOf('# The log, and `more`\n```sh\n# No heading\n```\n')).toEqual(['the-log-and-more'])
  })
})
