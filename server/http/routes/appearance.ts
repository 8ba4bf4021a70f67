import type { Context } from 'hono'
import tokens from '../../../src/theme/tokens.css?raw'
import { accentStyle } from '../../../src/theme/accent.ts'
import { AppError } from '../../errors/app-error.ts'
import { immutable } from '../cache/representation.ts'
import { findLogo } from '../../site/appearance.ts'
import type { Services } from '../../trpc/context.ts'

/** Path of the style sheet of an accent, which depends on nothing else. @param accent `#rrggbb` */
export function accentPath(accent: string): string {
  return `/accent/${accent.slice(1)}.css`
}

/** Serves the colors that an accent has in each theme. @throws AppError `not_found` */
export function serveAccent(c: Context): Response {
  const [, color] = /^([\da-f]{6})\.css$/.exec(c.req.param('file') ?? '') ?? []
  if (color === undefined) throw new AppError('not_found')
  const headers = { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': immutable }
  return c.body(accentStyle(`#${color}`, tokens), 200, headers)
}

/** Serves the logo that administrators uploaded. @throws AppError `not_found` for a former one */
export function serveLogo(services: Pick<Services, 'config' | 'db'>) {
  return async (c: Context): Promise<Response> => {
    const logo = await findLogo(services, c.req.path)
    if (!logo) throw new AppError('not_found')
    return c.body(Buffer.from(logo), 200, { 'Content-Type': 'image/png', 'Cache-Control': immutable })
  }
}
