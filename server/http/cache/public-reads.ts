import type { Context, MiddlewareHandler } from 'hono'
import type { Config } from '../../config/config.ts'
import { dataVersion } from '../../db/sqlite/maintenance.ts'
import type { Database } from '../../db/open-database.ts'
import { respond } from '../routes/respond.ts'
import { cacheKey, readOnlyDeclared, type PublicRoute } from './cache-key.ts'
import { ResponseCache } from './response-cache.ts'
import { Representation } from './representation.ts'
import { markShared } from '../middleware/request-log.ts'

/**
 * Caches in between may answer with it for a moment; browsers ask each time, and are told when nothing changed.
 * Without stale-while-revalidate, which browsers follow too: one's own new post would be missing for a while.
 */
const shared = 'public, max-age=0, s-maxage=10'

/** For one reader alone, who asks each time. */
const unshared = 'private, no-cache'

/** Of a handler's answer; those of the answer that is made of it are others. */
const replacedHeaders = new Set(['cache-control', 'content-length', 'etag', 'vary'])

/**
 * Answers reads compressed, with an ETag, and with 304 where the reader has the answer already. A public answer is
 * made once for each version of the database, with everything that is put around it, and caches may keep it for a
 * moment; any other is for its reader alone. Streams and failures pass through as they are.
 */
export function publicReads({ db, config }: { db: Database; config: Config }) {
  const kept = new ResponseCache()
  return (route: PublicRoute): MiddlewareHandler =>
    async (c, next) => {
      const key = cacheKey(config, c, route)
      const { raw } = c.req
      const handle = (signal: AbortSignal) => {
        if (key !== null) readOnlyDeclared(c, route, signal)
        return next()
      }
      const make = async (whileWanted: AbortSignal) => {
        await handle(whileWanted)
        return representationOf(c)
      }
      const left = () => raw.signal
      const representation =
        key === null ? await make(left()) : await kept.get(await dataVersion(db), key, left, make)
      if (representation) {
        if (key !== null) markShared(c)
        const answer = await respond(c, representation, key === null ? unshared : shared)
        // Whatever headers stood there are in the new answer.
        if (c.finalized) c.res = undefined
        c.res = answer
        return
      }
      // Another request's answer was waited for, and may not be kept.
      if (!c.finalized) await handle(left())
      c.res.headers.set('Cache-Control', c.res.ok ? unshared : 'no-store')
    }
}

/** What a handler answered, if that was a success, is whole, and gives nobody a cookie. */
async function representationOf(c: Context): Promise<Representation | null> {
  const { status, headers } = c.res
  if (status !== 200 || headers.has('transfer-encoding') || headers.has('set-cookie')) return null
  const own = [...headers].filter(([name]) => !replacedHeaders.has(name))
  return new Representation(new Uint8Array(await c.res.arrayBuffer()), Object.fromEntries(own))
}
