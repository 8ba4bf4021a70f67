import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/support/folder.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { renderMarkdown } from './markdown.ts'

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
    const { html } = renderRules(source)
    const tags = html.match(/<[a-z][^>]*/gi) ?? []
    expect(tags.join()).not.toMatch(/script|svg|div|\son\w+=/)
  })

  test.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
  ])('makes no link of %s', (address) => {
    expect(renderRules(`[text](<${address}>)`).html).toBe('<p>text</p>\n')
  })

  test('keeps links to the web, to mail and to this site', () => {
    const { html } = renderRules('[a](https://a.example) [b](mailto:b@b.example) [c](/about)')
    expect(html.match(/href="[^"]*"/g)).toEqual([
      'href="https://a.example"',
      'href="mailto:b@b.example"',
      'href="/about"',
    ])
  })
})

describe('the page of the rules', () => {
  test('shows the rules of the operator', async () => {
    const folder = await makeFolder()
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = path.join(folder, 'rules.md')
    await writeFile(file, '# House rules\n\nBe <kind>.')
    const server = await startTestServer({ env: { RULES_FILE: file } })
    const response = await server.request('/rules')
    expect(response.status).toBe(200)
    const html = await response.text()
    expect(html).toContain('>House rules</h1>')
    expect(html).toContain('<p>Be &lt;kind&gt;.</p>')
    expect(html).toContain('<title>Rules — Rangoli</title>')
    const about = await (await server.request('/about')).text()
    expect(about).toContain('<a href="/rules">Rules</a>')
    expect(about).not.toContain('House rules')
    expect(await (await server.request('/sitemaps/pages.xml')).text()).toContain('/rules</loc>')
  })

  test('does not exist without rules', async () => {
    const server = await startTestServer()
    expect((await server.request('/rules')).status).toBe(404)
    expect(await (await server.request('/about')).text()).not.toContain('href="/rules"')
    expect(await (await server.request('/sitemaps/pages.xml')).text()).not.toContain('/rules')
  })
})
