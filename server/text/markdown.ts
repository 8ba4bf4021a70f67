import { Marked, Parser, type Token, type Tokens } from 'marked'
import type { TextPage } from '../../shared/page-data.ts'

/** Addresses of links: web, mail, and this site. */
const allowedAddress = /^(?:https?:|mailto:|[/#])/i

const markdown = new Marked({
  // Without these, HTML is text.
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    heading({ depth, tokens }) {
      // The title of the page is its only heading of the first level.
      const level = Math.max(depth, 2)
      // The anchors that GitHub gives headings.
      const id = this.parser
        .parseInline(tokens, this.parser.textRenderer)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{M}\p{N} -]/gu, '')
        .replaceAll(' ', '-')
      return `<h${level} id="${id}">${this.parser.parseInline(tokens)}</h${level}>\n`
    },
    link({ href, tokens }) {
      return allowedAddress.test(href) ? false : this.parser.parseInline(tokens)
    },
  },
})

// Keyboards scroll code and tables. No other tags of these names get there, as HTML is escaped.
const htmlOf = (tokens: Token[]) => markdown.parser(tokens).replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">')

/**
 * Renders a page from Markdown. HTML in it is shown as text. A heading of the first level at the beginning is its title.
 *
 * @param fallbackTitle title of a page without such a heading
 */
export function renderMarkdown(source: string, fallbackTitle: string): TextPage {
  const [first, ...others] = markdown.lexer(source.trimStart())
  if (first?.type !== 'heading' || first['depth'] !== 1) {
    return { title: fallbackTitle, html: htmlOf(first ? [first, ...others] : []) }
  }
  const parser = new Parser()
  return {
    title: parser.parseInline((first as Tokens.Heading).tokens, parser.textRenderer),
    html: htmlOf(others),
  }
}
