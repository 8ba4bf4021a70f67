export type MailPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Words of a user, in any language. */
  | { readonly kind: 'quote'; readonly text: string }
  /** A link, shown as a button. */
  | { readonly kind: 'action'; readonly label: string; readonly url: string }

/** Texts of a mail, in the language of its recipient. Both of its formats are created from it. */
export interface MailContent {
  readonly subject: string
  readonly parts: readonly MailPart[]
  /** Why the recipient receives it, below the body. */
  readonly reason: string
}

export interface MailFrame {
  readonly siteName: string
  /** Address of the site; null if it is unknown, so that the mail has no links to it. */
  readonly siteUrl: string | null
  /** BCP 47 tag. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
}

export function renderText({ parts, reason }: MailContent, { siteName, siteUrl }: MailFrame): string {
  const footer = ['-- ', siteName, ...(siteUrl === null ? [] : [siteUrl])].join('\n')
  return `${[...parts.map(partAsText), reason, footer].join('\n\n')}\n`
}

function partAsText(part: MailPart): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'quote':
      return part.text
        .split(/\r\n?|\n/)
        .map((line) => `> ${line}`)
        .join('\n')
    case 'action':
      return `${part.label}:\n${part.url}`
  }
}

/*
 * Colors are inline, for programs that remove style sheets; those that keep them use the dark ones where the system does. No
 * images, so that nothing is loaded when a mail is read.
 */
const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #17110e !important }
  .text, .site { color: #f3ebe2 !important }
  .quiet { color: #b9aca0 !important }
  .quote { border-color: #f2a63b !important; background: #241c17 !important }
}`

const font = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
const text = `margin: 0 0 16px; font-size: 16px; line-height: 1.5; color: #2a1f18`
const quiet = `margin: 0 0 8px; font-size: 13px; line-height: 1.5; color: #6b5d52`

export function renderHtml(content: MailContent, frame: MailFrame): string {
  const { siteName, siteUrl, language, direction } = frame
  const name = escapeHtml(siteName)
  const link =
    siteUrl === null
      ? ''
      : `<p class="quiet" style="${quiet}"><a class="quiet" style="color: #6b5d52" href="${escapeHtml(siteUrl)}"><bdi dir="ltr">${escapeHtml(siteUrl)}</bdi></a></p>`
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>${style}
</style>
</head>
<body class="page" dir="${direction}" style="margin: 0; padding: 0; background: #fcf9f4">
<div class="page" style="padding: 32px 16px; background: #fcf9f4; ${font}">
<div style="max-width: 520px; margin: 0 auto; overflow-wrap: anywhere">
<p class="site" dir="auto" style="margin: 0 0 24px; font-size: 18px; font-weight: 600; color: #2a1f18">${name}</p>
${content.parts.map(partAsHtml).join('\n')}
<hr style="margin: 32px 0 16px; border: 0; border-top: 1px solid #cfc2b4">
<p class="quiet" style="${quiet}">${escapeHtml(content.reason)}</p>
${link}
</div>
</div>
</body>
</html>
`
}

function partAsHtml(part: MailPart): string {
  switch (part.kind) {
    case 'text':
      return `<p class="text" style="${text}">${escapeHtml(part.text)}</p>`
    case 'quote':
      return `<blockquote class="quote text" dir="auto" style="${text}; padding: 12px 16px; border-inline-start: 3px solid #b3650a; background: #f3ece2; white-space: pre-wrap">${escapeHtml(part.text)}</blockquote>`
    case 'action': {
      const url = escapeHtml(part.url)
      return `<p style="margin: 24px 0 16px"><a href="${url}" style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #f2a63b; color: #2a1f18; font-size: 16px; font-weight: 600; text-decoration: none">${escapeHtml(part.label)}</a></p>
<p class="quiet" style="${quiet}; word-break: break-all"><bdi dir="ltr">${url}</bdi></p>`
    }
  }
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
