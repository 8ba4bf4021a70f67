import {
  respondBytes,
  respondJson,
  respondNothing,
  respondImage,
  respondReset,
} from '../provider-responses.ts'
import { images } from '../images.ts'
import type { Scenario } from '../scenario.ts'

const { jpeg, png, webp, svg, html, huge } = images
const base64 = jpeg.toString('base64')
const dataUrl = `data:image/png;base64,${png.toString('base64')}`
const image = (fields: Record<string, unknown>) => respondJson({ created: 1, data: [fields] })

/** Responses that are not a stream. */
export const plainResponses: Scenario[] = [
  {
    name: 'accepts plain JSON, although a stream was requested',
    responders: [respondImage(jpeg)],
    images: [jpeg],
  },
  { name: 'accepts a PNG', responders: [respondImage(png)], images: [png] },
  { name: 'accepts a WebP', responders: [respondImage(webp)], images: [webp] },
  { name: 'accepts a data URL in url', responders: [image({ url: dataUrl })], images: [png] },
  { name: 'accepts a data URL in b64_json', responders: [image({ b64_json: dataUrl })], images: [png] },
  {
    name: 'accepts base64 with line breaks',
    responders: [image({ b64_json: base64.replace(/.{76}/g, '$&\n') })],
    images: [jpeg],
  },
  {
    name: 'accepts base64 without padding',
    responders: [image({ b64_json: base64.replace(/=+$/, '') })],
    images: [jpeg],
  },
  {
    name: 'accepts JSON with the content type text/html',
    responders: [respondBytes(JSON.stringify({ data: [{ b64_json: base64 }] }), 'text/html')],
    images: [jpeg],
  },
  {
    name: 'ignores fields that are null',
    responders: [respondJson({ error: null, data: [{ url: null, b64_json: base64 }] })],
    images: [jpeg],
  },
  { name: 'rejects empty data', responders: [respondJson({ data: [] })], error: 'engine_failed' },
  {
    name: "treats empty data of xAI's models as a blocked prompt",
    model: 'grok-2-image',
    responders: [respondJson({ data: [] })],
    error: 'prompt_blocked',
  },
  {
    name: 'rejects a response without data',
    responders: [respondJson({ created: 1 })],
    error: 'engine_failed',
  },
  {
    name: 'rejects data without an image',
    responders: [image({ revised_prompt: 'a heron named Quentin' })],
    error: 'engine_failed',
  },
  { name: 'rejects an empty b64_json', responders: [image({ b64_json: '' })], error: 'engine_failed' },
  {
    name: 'rejects truncated base64',
    responders: [image({ b64_json: base64.slice(0, 101) })],
    error: 'engine_failed',
  },
  {
    name: 'rejects invalid base64',
    responders: [image({ b64_json: `${base64.slice(0, 40)}!!${base64.slice(40)}` })],
    error: 'engine_failed',
  },
  { name: 'rejects an SVG', responders: [respondImage(svg)], error: 'engine_failed' },
  { name: 'rejects an HTML page in base64', responders: [respondImage(html)], error: 'engine_failed' },
  { name: 'rejects an HTML page', responders: [respondBytes(html, 'text/html')], error: 'engine_failed' },
  {
    name: 'rejects the bytes of an image instead of JSON',
    responders: [respondBytes(jpeg, 'image/jpeg')],
    error: 'engine_failed',
  },
  {
    name: 'rejects an empty body',
    responders: [respondBytes('', 'application/json')],
    error: 'engine_failed',
  },
  { name: 'rejects a 204', responders: [respondBytes('', 'application/json', 204)], error: 'engine_failed' },
  {
    name: 'recognizes an error with status 200',
    responders: [respondJson({ error: { code: 'moderation_blocked' } })],
    error: 'prompt_blocked',
  },
  {
    name: 'rejects JSON that is cut off',
    responders: [respondBytes('{"data":[{"b64_json":"/9j/', 'application/json')],
    error: 'engine_failed',
  },
  { name: 'rejects an image of 40 MB', responders: [respondImage(huge)], error: 'engine_failed' },
  { name: 'fails if the connection is reset', responders: [respondReset()], error: 'engine_failed' },
  { name: 'stops waiting for a response when aborted', responders: [respondNothing()], abort: 'on request' },
]
