import { msg } from '@lingui/core/macro'
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Logger } from 'pino'
import { errorMessage } from '../../src/api/failure.ts'
import { i18nOf } from '../../src/render.tsx'
import { mcpPaths } from '../programs/resource.ts'
import { directionOf } from '../../shared/languages.ts'
import {
  describeError,
  isUnexpected,
  trpcErrorShape,
  type ErrorDescription,
} from '../errors/describe-error.ts'
import { logError, logStorageError } from '../errors/log-error.ts'
import { renderOpenAiError } from '../openai-api/openai-routes.ts'
import type { FailureResponse } from '../rest/v1.ts'
import { languageOf } from './language.ts'
import { loggedPath, requestFieldsOf } from './middleware/request-log.ts'

const otherPaths =
  /^\/(?:\.well-known|api|assets|feed\.xml|healthz|mcp|metrics|oembed|readyz|sitemaps|trpc|uploads|v1)(?:\/|$)/
const htmlTypes = /text\/(?:html|\*)|application\/xhtml\+xml|\*\/\*/i

/** Reports whether a request can be one for a page: by its path, and by its client, which takes HTML. */
export function isForPage({ req }: Context): boolean {
  const accept = req.header('accept') || '*/*'
  return ['GET', 'HEAD'].includes(req.method) && !otherPaths.test(req.path) && htmlTypes.test(accept)
}

/** Creates the app's error handler: logs unexpected errors, and responds in the shape of the transport. */
export function renderError(log: Logger) {
  return (error: Error, c: Context): Response | Promise<Response> => {
    const description = describeError(error)
    const fields = { ...requestFieldsOf(c), path: loggedPath(c.req.path) }
    // A client that disconnects during a request is not an error of the server.
    if (isUnexpected(error) && !c.req.raw.signal.aborted)
      log.error({ ...fields, err: error }, 'request failed')
    logStorageError(log, error, fields)
    const { status, retryAfter } = description
    if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
    c.header('Cache-Control', 'no-store')
    const openAiResponse = renderOpenAiError(c, error, description)
    if (openAiResponse) return openAiResponse
    if (isForPage(c)) return c.html(page(description, languageOf(c).language), status)
    return c.json(bodyFor(c, description), status)
  }
}

/** `Retry-After` of a tRPC response that fails before it is sent, from the first error that has one. */
export function retryAfterHeader(errors: readonly Error[]): Record<string, string> {
  const seconds = errors.map((error) => describeError(error).retryAfter).find((value) => value !== undefined)
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) }
}

/** Logs errors of a stream, but not that its client has disconnected. */
export function logStreamError(log: Logger, error: Error, path: string | undefined, c: Context): void {
  if (c.req.raw.signal.aborted && error.cause instanceof Error && error.cause.name === 'AbortError') return
  logError(log, error, { ...requestFieldsOf(c), path }, 'stream failed')
}

function bodyFor(c: Context, description: ErrorDescription) {
  // One object for a batch too: clients apply it to each call, but reject an array of one.
  if (c.req.path.startsWith('/trpc/')) return { error: trpcErrorShape(description) }
  if (mcpPaths.includes(c.req.path)) return { jsonrpc: '2.0', id: null, error: trpcErrorShape(description) }
  if (c.req.path.startsWith('/api/auth/')) {
    const { message, reason, detail } = description
    return { message, code: reason, ...(detail && { detail }) }
  }
  return { success: false, error: description.message } satisfies FailureResponse
}

/** The page shown when rendering pages fails. */
function page({ reason, message: english, detail }: ErrorDescription, language: string) {
  const i18n = i18nOf(language)
  const message = language === 'en' ? english : errorMessage(reason, i18n, detail)
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <meta name="viewport" content="width=device-width" /><title>${message}</title>
      <h1>${message}</h1>
      <p>${i18n._(msg`Please try again in a moment.`)}</p>
    </html>`
}
