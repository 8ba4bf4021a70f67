import type { Context } from 'hono'
import { AppError } from '../../errors/app-error.ts'
import { idPattern } from '../../procedures/inputs.ts'
import { costs } from '../../rate-limits/work-in-progress.ts'
import { coverUrl, drawCover } from '../../styles/cover.ts'
import { coverWords, readStyle } from '../../styles/stored-styles.ts'
import type { RequestContextOf } from '../request-context.ts'

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
