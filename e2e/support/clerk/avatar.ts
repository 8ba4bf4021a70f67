import { Hono } from 'hono'

/** Avatar of every user: a circle on a square. */
const image =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#c2410c" d="M0 0h8v8H0z"/><circle cx="4" cy="4" r="2" fill="#fff"/></svg>'

export const avatar = new Hono().get('/:id{user_.+}', (c) =>
  c.body(image, 200, { 'content-type': 'image/svg+xml' }),
)
