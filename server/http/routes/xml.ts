import type { Context } from 'hono'
import type { html } from 'hono/html'
import { notXml } from '../../formats/xmp.ts'

/** Responds with an XML document from a template that escapes its values. */
export async function sendXml(
  c: Context,
  type: 'application/atom+xml' | 'application/xml',
  document: ReturnType<typeof html>,
): Promise<Response> {
  const text = `<?xml version="1.0" encoding="utf-8"?>\n${await document}`
  return c.body(text.replace(notXml, ''), 200, { 'Content-Type': `${type}; charset=utf-8` })
}
