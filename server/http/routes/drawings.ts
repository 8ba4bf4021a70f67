import type { Context, Handler } from 'hono'
import { previewPromptLength } from '../../../shared/limits.ts'
import type { Config } from '../../config/config.ts'
import { drawAvatar } from '../../engines/rangoli/avatar.ts'
import { compose } from '../../engines/rangoli/compose.ts'
import { loadFigures } from '../../engines/rangoli/figures/catalog.ts'
import { describeDrawing, readPrompt } from '../../engines/rangoli/interpret-prompt.ts'
import { AppError } from '../../errors/app-error.ts'
import { idPattern } from '../../procedures/inputs.ts'
import { createRateLimiter } from '../../rate-limits/rate-limiter.ts'
import { costs } from '../../rate-limits/work-in-progress.ts'
import { coverUrl, drawCover } from '../../styles/cover.ts'
import { coverWords, readStyle } from '../../styles/stored-styles.ts'
import { cleanText } from '../../text/clean-text.ts'
import { immutable, Representation } from '../cache/representation.ts'
import type { RequestContextOf } from '../request-context.ts'

/** The drawing of a prompt changes only with a new version of the engine. */
const caching = 'public, max-age=3600'

/** Of drawings. Opened as a document, they run no scripts. */
const svgHeaders = {
  'content-type': 'image/svg+xml',
  'content-security-policy': "default-src 'none'; sandbox",
}

/**
 * Draws the pattern of a prompt as SVG, without the grain of a generated image; as JSON, if asked for, with the words that it
 * shows (`drawnFrom`), those that it does not (`notDrawn`), and figures that are like the latter (`near`). Nothing is stored.
 *
 * @throws AppError `not_found` unless the default engine is the embedded one, `bad_input`, `rate_limited`
 * @see docs/contributing/decisions/0062-pattern-engine.md
 */
export function servePreview(
  { engines: [engine] }: Pick<Config, 'engines'>,
  clientNetwork: (c: Context) => string,
  previewsPerMinute = 300,
): Handler {
  // In memory with every database: a preview is cheaper than a write.
  const limiter = createRateLimiter(previewsPerMinute, 60)
  // Takes a third of the time of the first preview, which reports a failure.
  if (engine.kind === 'rangoli') setTimeout(() => void loadFigures().catch(() => undefined), 1_000).unref()
  return async (c) => {
    if (engine.kind !== 'rangoli') throw new AppError('not_found')
    const received = c.req.query('prompt') ?? ''
    const prompt = received.length > previewPromptLength ? '' : cleanText(received)
    if (prompt === '') {
      throw new AppError('bad_input', `\`prompt\` must have 1 to ${previewPromptLength} characters.`)
    }
    await limiter.consume(clientNetwork(c))
    const reading = await readPrompt(prompt)
    const svg = compose(reading.design)
    const isJson = c.req.header('accept')?.includes('application/json') ?? false
    const body = isJson ? JSON.stringify({ svg, ...describeDrawing(reading, svg) }) : svg
    const headers = isJson ? { ...svgHeaders, 'content-type': 'application/json' } : svgHeaders
    return new Representation(new TextEncoder().encode(body), headers).respond(c, caching, 'Accept')
  }
}

/** Serves the drawing of any id, so that it does not reveal which users exist. @throws AppError `not_found` */
export function serveAvatar(c: Context): Promise<Response> {
  const id = /^([\w-]{1,64})\.svg$/.exec(c.req.param('file') ?? '')?.[1]
  if (id === undefined) throw new AppError('not_found')
  const body = new TextEncoder().encode(drawAvatar(id))
  return new Representation(body, svgHeaders).respond(c, immutable)
}

/** Serves the cover of a style of the site, or of the caller. @throws AppError `not_found`, also for an address of a former cover */
export function serveStyleCover(contextOf: RequestContextOf) {
  return async (c: Context<object, '/api/styles/:id/:file'>): Promise<Response> => {
    const { services, viewer, work } = contextOf(c)
    const { id } = c.req.param()
    work.add(costs.call)
    if (!idPattern.test(id)) throw new AppError('not_found')
    const style = await readStyle(services.db, await viewer(), id)
    const words = coverWords(style)
    if (c.req.path !== coverUrl(id, words)) throw new AppError('not_found')
    return c.body(await drawCover(words), 200, {
      'Content-Type': 'image/webp',
      'Cache-Control': `${style.owner_id === null ? 'public' : 'private'}, max-age=31536000, immutable`,
      'X-Content-Type-Options': 'nosniff',
    })
  }
}
