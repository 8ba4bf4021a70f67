import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Hono } from 'hono'

const packages = path.resolve(import.meta.dirname, '../../../node_modules/@clerk')

/** Clerk's scripts from npm, by the paths at which an instance serves them. */
export const scripts = new Hono().get('/npm/@clerk/:package{(clerk-js|ui)@.+}/dist/:file', async (c) => {
  const [name = ''] = c.req.param('package').split('@')
  const text = await readFile(path.join(packages, name, 'dist', path.basename(c.req.param('file'))), 'utf8')
  return c.body(text, 200, { 'content-type': 'text/javascript' })
})
