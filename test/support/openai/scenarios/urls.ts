import {
  respondBytes,
  respondEvents,
  respondJson,
  respondRedirect,
  respondReset,
} from '../provider-responses.ts'
import type { Answer } from '../provider.ts'
import { images } from '../images.ts'
import type { Scenario } from '../scenario.ts'

const { jpeg, svg, html, huge } = images
const imageAt = (url: string | ((origin: string) => string)) =>
  respondJson((origin: string) => ({ data: [{ url: typeof url === 'string' ? url : url(origin) }] }))
const own = imageAt((origin) => `${origin}/files/1.png`)
const named = (origin: string) => origin.replace('127.0.0.1', 'localhost')
const file = (answer: Answer) => ({ '/files/1.png': answer })
const turns = (...answers: Answer[]): Answer => {
  const left = answers.values()
  return (exchange) => left.next().value?.(exchange)
}

/** Answers that give the address of an image. */
export const urls: Scenario[] = [
  {
    name: "the endpoint's own origin, though on loopback",
    answers: [own],
    files: file(respondBytes(jpeg, 'image/jpeg')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'a path',
    answers: [imageAt('/files/1.png')],
    files: file(respondBytes(jpeg, 'image/jpeg')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'the completed event',
    answers: [respondEvents([{ type: 'image_generation.completed', url: '/files/1.png' }])],
    files: file(respondBytes(jpeg, 'image/jpeg')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'a wrong type',
    answers: [own],
    files: file(respondBytes(jpeg, 'text/html')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'an address with a password, which is not sent',
    answers: [imageAt((origin) => `${origin.replace('//', '//me:secret@')}/files/1.png`)],
    files: file(respondBytes(jpeg, 'image/png')),
    images: [jpeg],
    fetches: 1,
  },
  {
    name: 'a redirect within the origin',
    answers: [own],
    files: { ...file(respondRedirect('/files/2.png')), '/files/2.png': respondBytes(jpeg, 'image/png') },
    images: [jpeg],
    fetches: 2,
  },
  {
    name: 'a host in trouble',
    answers: [own],
    files: file(turns(respondReset(), respondBytes('', 'text/plain', 503), respondBytes(jpeg, 'image/png'))),
    images: [jpeg],
    fetches: 3,
  },
  {
    name: 'an SVG',
    answers: [own],
    files: file(respondBytes(svg, 'image/png')),
    fails: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'a page',
    answers: [own],
    files: file(respondBytes(html, 'image/jpeg')),
    fails: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'nothing',
    answers: [own],
    files: file(respondBytes('', 'image/jpeg')),
    fails: 'engine_failed',
    fetches: 1,
  },
  {
    name: '40 MB',
    answers: [own],
    files: file(respondBytes(huge, 'image/jpeg')),
    fails: 'engine_failed',
    fetches: 1,
  },
  { name: 'an image that is gone', answers: [own], fails: 'engine_failed', fetches: 1 },
  {
    name: 'a redirect loop',
    answers: [own],
    files: file(respondRedirect('/files/1.png')),
    fails: 'engine_failed',
    fetches: 4,
  },
  {
    name: 'a redirect to a private address',
    answers: [own],
    files: file(respondRedirect('http://10.0.0.1/')),
    fails: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'a redirect to the metadata of a cloud',
    answers: [own],
    files: file(respondRedirect('http://169.254.169.254/latest/')),
    fails: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'a redirect to a name of loopback',
    answers: [own],
    files: file(respondRedirect((origin) => `${named(origin)}/files/2.png`)),
    fails: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'a redirect to a file',
    answers: [own],
    files: file(respondRedirect('file:///etc/passwd')),
    fails: 'engine_failed',
    fetches: 1,
  },
  {
    name: 'another port of loopback',
    answers: [imageAt('http://127.0.0.1:9/1.png')],
    fails: 'engine_failed',
  },
  {
    name: 'loopback in disguise',
    answers: [imageAt((origin) => `http://[::ffff:127.0.0.1]:${new URL(origin).port}/files/1.png`)],
    fails: 'engine_failed',
  },
  {
    name: 'a name that leads to a private address',
    answers: [imageAt((origin) => `${named(origin)}/files/1.png`)],
    fails: 'engine_failed',
  },
  { name: 'another scheme', answers: [imageAt('ftp://example.com/1.png')], fails: 'engine_failed' },
  { name: 'what is no address', answers: [imageAt('http://')], fails: 'engine_failed' },
]
