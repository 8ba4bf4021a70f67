import type { Context } from 'hono'
import { drawAvatar } from '../../engines/rangoli/avatar.ts'
import { AppError } from '../../errors/app-error.ts'
import { svgHeaders } from './preview.ts'
import { immutable, Representation } from '../cache/representation.ts'

/** Serves the drawing of any id, so that it does not reveal which users exist. @throws AppError `not_found` */
export function serveAvatar(c: Context): Promise<Response> {
  const id = /^([\w-]{1,64})\.svg$/.exec(c.req.param('file') ?? '')?.[1]
  if (id === undefined) throw new AppError('not_found')
  const body = new TextEncoder().encode(drawAvatar(id))
  return new Representation(body, svgHeaders).respond(c, immutable)
}
