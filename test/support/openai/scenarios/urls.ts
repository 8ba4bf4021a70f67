import {
  respondBytes,
  respondEvents,
  respondJson,
  respondRedirect,
  respondReset,
} from '../provider-responses.ts'
import type { Responder } from '../provider.ts'
import { images } from '../images.ts'
import type { Scenario } from '../scenario.ts'

const { jpeg, svg, html, huge } = images
const imageAt = (url: string | ((origin: string) => string)) =>
  respondJson((origin: string) => ({ data: [{ url: typeof url === 'string' ? url : url(origin) }] }))
const own = imageAt((origin) => `${origin}/files/1.png`)
const named = (origin: string) => origin.replace('127.0.0.1', 'localhost')
const file = (responder: Responder) => ({ '/files/1.png': responder })
const inTurn = (...responders: Responder[]): Responder => {
  const remaining = responders.values()
  return (exchange) => remaining.next().value?.(exchange)
}

/** Responses with the URL of an image. */
export const urls: Scenario[] = [
  {
    name: 'fetches an image from the origin of the endpoint, even on loopback',
    responders: [own],
    files: file(respondBytes(jpeg, 'image/jpeg')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'resolves a path against the endpoint',
    responders: [imageAt('/files/1.png')],
    files: file(respondBytes(jpeg, 'image/jpeg')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'fetches the URL of a completed event',
    responders: [respondEvents([{ type: 'image_generation.completed', url: '/files/1.png' }])],
    files: file(respondBytes(jpeg, 'image/jpeg')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'ignores the content type',
    responders: [own],
    files: file(respondBytes(jpeg, 'text/html')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'does not send the password of a URL',
    responders: [imageAt((origin) => `${origin.replace('//', '//me:secret@')}/files/1.png`)],
    files: file(respondBytes(jpeg, 'image/png')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'follows a redirect within the origin',
    responders: [own],
    files: { ...file(respondRedirect('/files/2.png')), '/files/2.png': respondBytes(jpeg, 'image/png') },
    images: [jpeg],
    fetches: 2,
  },
  {
    name: 'retries after a connection reset and a 503',
    responders: [own],
    files: file(inTurn(respondReset(), respondBytes('', 'text/plain', 503), respondBytes(jpeg, 'image/png'))),
    images: [jpeg],
    fetches: 3,
  },
  {
    name: 'rejects an SVG',
    responders: [own],
    files: file(respondBytes(svg, 'image/png')),
    error: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'rejects an HTML page',
    responders: [own],
    files: file(respondBytes(html, 'image/jpeg')),
    error: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'rejects an empty body',
    responders: [own],
    files: file(respondBytes('', 'image/jpeg')),
    error: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'rejects an image of 40 MB',
    responders: [own],
    files: file(respondBytes(huge, 'image/jpeg')),
    error: 'engine_failed',
    fetches: 1,
  },
  { name: 'fails if the image is not found', responders: [own], error: 'engine_failed', fetches: 1 },
  {
    name: 'stops a redirect loop',
    responders: [own],
    files: file(respondRedirect('/files/1.png')),
    error: 'engine_failed',
    fetches: 4,
  },
  {
    name: 'rejects a redirect to a private address',
    responders: [own],
    files: file(respondRedirect('http://10.0.0.1/')),
    error: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'rejects a redirect to a cloud metadata service',
    responders: [own],
    files: file(respondRedirect('http://169.254.169.254/latest/')),
    error: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'rejects a redirect to a host name of loopback',
    responders: [own],
    files: file(respondRedirect((origin) => `${named(origin)}/files/2.png`)),
    error: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'rejects a redirect to a file URL',
    responders: [own],
    files: file(respondRedirect('file:///etc/passwd')),
    error: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'rejects another port on loopback',
    responders: [imageAt('http://127.0.0.1:9/1.png')],
    error: 'engine_failed',
  },
  {
    name: 'rejects loopback as a mapped IPv6 address',
    responders: [imageAt((origin) => `http://[::ffff:127.0.0.1]:${new URL(origin).port}/files/1.png`)],
    error: 'engine_failed',
  },
  {
    name: 'rejects a host name that resolves to a private address',
    responders: [imageAt((origin) => `${named(origin)}/files/1.png`)],
    error: 'engine_failed',
  },
  {
    name: 'rejects another scheme',
    responders: [imageAt('ftp://example.com/1.png')],
    error: 'engine_failed',
  },
  { name: 'rejects an invalid URL', responders: [imageAt('http://')], error: 'engine_failed' },
]
