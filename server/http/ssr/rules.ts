import { Marked, Parser, type Tokens } from 'marked'
import type { Rules } from '../../../shared/page-data.ts'

/** Addresses of links: web, mail, and this site. */
const allowedAddress = /^(?:https?:|mailto:|[/#])/i

const markdown = new Marked({
  // Without these, HTML is text.
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    heading({ depth, tokens }) {
      // The title of the page is its only heading of the first level.
      const level = Math.max(depth, 2)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
    },
    link({ href, tokens }) {
      return allowedAddress.test(href) ? false : this.parser.parseInline(tokens)
    },
  },
})

/** Renders the operator's rules. HTML in them is shown as text. A heading of the first level at the beginning is the title. */
export function renderRules(source: string): Rules {
  const [first, ...others] = markdown.lexer(source.trimStart())
  if (first?.type !== 'heading' || first['depth'] !== 1) {
    return { title: 'Rules', html: markdown.parser(first ? [first, ...others] : []) }
  }
  const parser = new Parser()
  return {
    title: parser.parseInline((first as Tokens.Heading).tokens, parser.textRenderer),
    html: markdown.parser(others),
  }
}
