import { answerBytes, answerJson, answerNothing, answerPicture, answerReset } from '../provider-responses.ts'
import { pictures } from '../images.ts'
import type { Scenario } from '../scenario.ts'

const { jpeg, png, webp, svg, html, huge } = pictures
const base64 = jpeg.toString('base64')
const dataUrl = `data:image/png;base64,${png.toString('base64')}`
const image = (fields: Record<string, unknown>) => answerJson({ created: 1, data: [fields] })

/** Answers that are not a stream. */
export const plainAnswers: Scenario[] = [
  { name: 'plain JSON, although a stream was requested', answers: [answerPicture(jpeg)], pictures: [jpeg] },
  { name: 'a PNG', answers: [answerPicture(png)], pictures: [png] },
  { name: 'a WebP', answers: [answerPicture(webp)], pictures: [webp] },
  { name: 'a data URL as url', answers: [image({ url: dataUrl })], pictures: [png] },
  { name: 'a data URL as b64_json', answers: [image({ b64_json: dataUrl })], pictures: [png] },
  {
    name: 'base64 in lines',
    answers: [image({ b64_json: base64.replace(/.{76}/g, '$&\n') })],
    pictures: [jpeg],
  },
  {
    name: 'base64 without padding',
    answers: [image({ b64_json: base64.replace(/=+$/, '') })],
    pictures: [jpeg],
  },
  {
    name: 'JSON as text/html',
    answers: [answerBytes(JSON.stringify({ data: [{ b64_json: base64 }] }), 'text/html')],
    pictures: [jpeg],
  },
  {
    name: 'fields that are null',
    answers: [answerJson({ error: null, data: [{ url: null, b64_json: base64 }] })],
    pictures: [jpeg],
  },
  { name: 'empty data', answers: [answerJson({ data: [] })], fails: 'engine_failed' },
  {
    name: "empty data of xAI's, which means a blocked prompt",
    model: 'grok-2-image',
    answers: [answerJson({ data: [] })],
    fails: 'prompt_blocked',
  },
  { name: 'no data', answers: [answerJson({ created: 1 })], fails: 'engine_failed' },
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
  { name: 'an SVG', answers: [answerPicture(svg)], fails: 'engine_failed' },
  { name: 'a page in base64', answers: [answerPicture(html)], fails: 'engine_failed' },
  { name: 'a page', answers: [answerBytes(html, 'text/html')], fails: 'engine_failed' },
  { name: 'an image as it is', answers: [answerBytes(jpeg, 'image/jpeg')], fails: 'engine_failed' },
  { name: 'nothing', answers: [answerBytes('', 'application/json')], fails: 'engine_failed' },
  { name: 'no content', answers: [answerBytes('', 'application/json', 204)], fails: 'engine_failed' },
  {
    name: 'an error in a 200',
    answers: [answerJson({ error: { code: 'moderation_blocked' } })],
    fails: 'prompt_blocked',
  },
  {
    name: 'JSON that is cut off',
    answers: [answerBytes('{"data":[{"b64_json":"/9j/', 'application/json')],
    fails: 'engine_failed',
  },
  { name: '40 MB', answers: [answerPicture(huge)], fails: 'engine_failed' },
  { name: 'a reset connection', answers: [answerReset()], fails: 'engine_failed' },
  { name: 'nothing, until the user leaves', answers: [answerNothing()], abort: 'when asked' },
]
