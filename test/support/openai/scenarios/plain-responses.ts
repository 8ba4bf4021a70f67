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

/** Answers that are not a stream. */
export const plainResponses: Scenario[] = [
  { name: 'plain JSON, although a stream was requested', answers: [respondImage(jpeg)], images: [jpeg] },
  { name: 'a PNG', answers: [respondImage(png)], images: [png] },
  { name: 'a WebP', answers: [respondImage(webp)], images: [webp] },
  { name: 'a data URL as url', answers: [image({ url: dataUrl })], images: [png] },
  { name: 'a data URL as b64_json', answers: [image({ b64_json: dataUrl })], images: [png] },
  {
    name: 'base64 in lines',
    answers: [image({ b64_json: base64.replace(/.{76}/g, '$&\n') })],
    images: [jpeg],
  },
  {
    name: 'base64 without padding',
    answers: [image({ b64_json: base64.replace(/=+$/, '') })],
    images: [jpeg],
  },
  {
    name: 'JSON as text/html',
    answers: [respondBytes(JSON.stringify({ data: [{ b64_json: base64 }] }), 'text/html')],
    images: [jpeg],
  },
  {
    name: 'fields that are null',
    answers: [respondJson({ error: null, data: [{ url: null, b64_json: base64 }] })],
    images: [jpeg],
  },
  { name: 'empty data', answers: [respondJson({ data: [] })], fails: 'engine_failed' },
  {
    name: "empty data of xAI's, which means a blocked prompt",
    model: 'grok-2-image',
    answers: [respondJson({ data: [] })],
    fails: 'prompt_blocked',
  },
  { name: 'no data', answers: [respondJson({ created: 1 })], fails: 'engine_failed' },
  {
    name: 'data without an image',
    answers: [image({ revised_prompt: 'a heron named Quentin' })],
    fails: 'engine_failed',
  },
  { name: 'an empty b64_json', answers: [image({ b64_json: '' })], fails: 'engine_failed' },
  { name: 'truncated base64', answers: [image({ b64_json: base64.slice(0, 101) })], fails: 'engine_failed' },
  {
    name: 'base64 that is none',
    answers: [image({ b64_json: `${base64.slice(0, 40)}!!${base64.slice(40)}` })],
    fails: 'engine_failed',
  },
  { name: 'an SVG', answers: [respondImage(svg)], fails: 'engine_failed' },
  { name: 'a page in base64', answers: [respondImage(html)], fails: 'engine_failed' },
  { name: 'a page', answers: [respondBytes(html, 'text/html')], fails: 'engine_failed' },
  { name: 'an image as it is', answers: [respondBytes(jpeg, 'image/jpeg')], fails: 'engine_failed' },
  { name: 'nothing', answers: [respondBytes('', 'application/json')], fails: 'engine_failed' },
  { name: 'no content', answers: [respondBytes('', 'application/json', 204)], fails: 'engine_failed' },
  {
    name: 'an error in a 200',
    answers: [respondJson({ error: { code: 'moderation_blocked' } })],
    fails: 'prompt_blocked',
  },
  {
    name: 'JSON that is cut off',
    answers: [respondBytes('{"data":[{"b64_json":"/9j/', 'application/json')],
    fails: 'engine_failed',
  },
  { name: '40 MB', answers: [respondImage(huge)], fails: 'engine_failed' },
  { name: 'a reset connection', answers: [respondReset()], fails: 'engine_failed' },
  { name: 'nothing, until the user leaves', answers: [respondNothing()], abort: 'when asked' },
]
