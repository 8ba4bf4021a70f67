import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import { appRouter } from '../trpc/router.ts'

const procedures = new Set(Object.keys(appRouter._def.procedures).map((name) => `/trpc/${name}`))

/** Patterns that say nothing: what everything passes, and what answers every other address. */
const anything = new Set(['*', '/*'])

/**
 * The name of what answers a request, one of few whatever addresses are asked for: a procedure called alone, else the
 * longest pattern of the app that the address matches.
 */
export function routeOf(c: Context): string {
  const { path } = c.req
  if (procedures.has(path)) return path
  const patterns = matchedRoutes(c).flatMap((route) => (anything.has(route.path) ? [] : route.path))
  return patterns.reduce((longest, next) => (next.length > longest.length ? next : longest), '') || 'other'
}
