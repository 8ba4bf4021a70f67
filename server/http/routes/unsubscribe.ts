import type { Context } from 'hono'
import { html } from 'hono/html'
import { directionOf } from '../../../shared/languages.ts'
import { mailLanguage } from '../../mail/compose-mail.ts'
import { unsubscribeTexts } from '../../mail/notification-texts.ts'
import { unsubscribe } from '../../mail/unsubscribe-links.ts'
import { readAppearance } from '../../site/appearance.ts'
import type { Services } from '../../trpc/context.ts'
import { languageOf } from '../language.ts'
import { contentSecurityPolicy } from '../middleware/security-headers.ts'

const policy = contentSecurityPolicy({
  'style-src-attr': ["'unsafe-inline'"],
  'form-action': ["'self'"],
})

const pageStyle =
  'color-scheme: light dark; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif'

const buttonStyle =
  'min-height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: 0.5rem; background: #f2a63b; color: #2a1f18; font: inherit; font-weight: 600'

/**
 * Serves the page of a link in a daily mail: GET shows a button, as programs open links, and POST unsubscribes. Works without a
 * session, also for the program that reads mails. @see https://www.rfc-editor.org/rfc/rfc8058
 */
export function serveUnsubscribe(services: Pick<Services, 'config' | 'db' | 'now' | 'unsubscribeLinks'>) {
  return async (c: Context): Promise<Response> => {
    const { language } = languageOf(c)
    const i18n = mailLanguage(language)
    const texts = unsubscribeTexts(i18n, (await readAppearance(services, language)).name)
    const userId = services.unsubscribeLinks.verify(c.req.param('token') ?? '')
    const isDone = userId !== null && c.req.method === 'POST'
    if (isDone) await unsubscribe(services, userId)
    const form = html`<form method="post"><button style="${buttonStyle}">${texts.button}</button></form>`
    const body = html`<!doctype html>
      <html lang="${i18n.locale}" dir="${directionOf(i18n.locale)}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="robots" content="noindex" />
          <title>${texts.title}</title>
        </head>
        <body style="${pageStyle}">
          <main>
            <h1 style="font-size: 1.25rem">${texts.title}</h1>
            ${userId === null ? html`<p>${texts.invalid}</p>` : isDone ? html`<p role="status">${texts.done}</p>` : form}
          </main>
        </body>
      </html>`
    return c.html(body, userId === null ? 404 : 200, {
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
  }
}
