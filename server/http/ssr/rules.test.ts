import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { renderMarkdown } from '../../text/markdown.ts'

const renderRules = (source: string) => renderMarkdown(source, 'Rules')

describe('renderMarkdown', () => {
  test('takes the title from a heading at the beginning', () => {
    expect(renderRules('\n# House *rules* & more\n\nBe **kind**.\n\n# Privacy\n')).toEqual({
      title: 'House rules & more',
      html: '<p>Be <strong>kind</strong>.</p>\n<h2 id="privacy">Privacy</h2>\n',
    })
    expect(renderRules('Be kind.').title).toBe('Rules')
  })

  test.each([
    '<script>alert(1)</script>',
    'text <script>x <img src=y onerror=alert(1) </script>',
    '<div onclick="alert(1)">\n\ntext\n\n</div>',
    '# <img src=x onerror=alert(1)>\n\ntext',
    '- <svg/onload=alert(1)>',
    '![<b>](x" onerror="alert(1))',
  ])('shows HTML as text: %s', (source) => {
    const tags = renderRules(source).html.match(/<[a-z][^>]*/gi) ?? []
    expect(tags.join()).not.toMatch(/script|svg|div|\son\w+=/)
  })

  test('links to the web, to mail and to this site only', () => {
    const { html } = renderRules('[a](https://a.example) [b](mailto:b@b.example) [c](/about)')
    const links = ['href="https://a.example"', 'href="mailto:b@b.example"', 'href="/about"']
    expect(html.match(/href="[^"]*"/g)).toEqual(links)
    for (const scheme of ['javascript:', 'JAVASCRIPT:', ' javascript:', 'data:text/html,', 'vbscript:'])
      expect(renderRules(`[text](<${scheme}alert(1)>)`).html).toBe('<p>text</p>\n')
  })
})

test('the page of the rules exists only with rules', async () => {
  const file = path.join(await tempFolder(), 'rules.md')
  await writeFile(file, '# House rules\n\nBe <kind>.')
  const server = await startTestServer({ env: { RULES_FILE: file } })
  const read = async (address: string, { request } = server) => (await request(address)).text()
  const html = await read('/rules')
  for (const part of ['>House rules</h1>', '<p>Be &lt;kind&gt;.</p>', '<title>Rules — Rangoli</title>'])
    expect(html).toContain(part)
  const about = await read('/about')
  expect(about).toContain('<a href="/rules">Rules</a>')
  expect(about).not.toContain('House rules')
  expect(await read('/sitemaps/pages.xml')).toContain('/rules</loc>')
  const other = await startTestServer()
  expect((await other.request('/rules')).status).toBe(404)
  expect(await read('/about', other)).not.toContain('href="/rules"')
  expect(await read('/sitemaps/pages.xml', other)).not.toContain('/rules')
})
