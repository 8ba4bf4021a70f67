import {
  respondBytes,
  respondEvents,
  respondImage,
  respondSlowly,
  completedEvent,
  partialEvent,
} from '../provider-responses.ts'
import { images } from '../images.ts'
import type { Scenario } from '../scenario.ts'

const { jpeg, preview, sharper, png, svg, huge } = images
const base64 = jpeg.toString('base64')
const partials = [partialEvent(preview, 0), partialEvent(sharper, 1)]
const blocked = { code: 'moderation_blocked', moderation_details: { moderation_stage: 'output' } }

/** Streams of events. */
export const streams: Scenario[] = [
  {
    name: 'previews and the image',
    answers: [respondEvents([...partials, completedEvent(jpeg)])],
    images: [preview, sharper, jpeg],
  },
  { name: 'the image alone', answers: [respondEvents([completedEvent(png)])], images: [png] },
  {
    name: 'small pieces and comments',
    answers: [respondSlowly([...partials, completedEvent(jpeg)])],
    images: [preview, sharper, jpeg],
  },
  {
    name: 'events as text/plain',
    answers: [respondBytes(`data: ${JSON.stringify(completedEvent(jpeg))}\r\n\r\n`, 'text/plain')],
    images: [jpeg],
  },
  {
    name: 'no blank line at the end',
    answers: [respondBytes(`data: ${JSON.stringify(completedEvent(jpeg))}`, 'text/event-stream')],
    images: [jpeg],
  },
  {
    name: 'the plain answer as its one event',
    answers: [respondEvents([{ data: [{ b64_json: base64 }] }])],
    images: [jpeg],
  },
  {
    name: 'events of unknown types',
    answers: [respondEvents([{ type: 'ping' }, completedEvent(jpeg)])],
    images: [jpeg],
  },
  {
    name: 'previews that are SVG or empty',
    answers: [respondEvents([partialEvent(svg), partialEvent(Buffer.alloc(0)), completedEvent(jpeg)])],
    images: [jpeg],
  },
  {
    name: 'an image without previews, which is an SVG',
    answers: [respondEvents([completedEvent(svg)])],
    fails: 'engine_failed',
  },
  {
    name: 'images without b64_json, then a plain answer',
    answers: [
      respondEvents([
        { ...partialEvent(jpeg), b64_json: '' },
        { ...completedEvent(jpeg), b64_json: '' },
      ]),
      respondImage(jpeg),
    ],
    images: [jpeg],
  },
  {
    name: 'no b64_json, even where no stream was requested',
    answers: Array.from({ length: 2 }, () => respondEvents([{ type: 'image_generation.completed' }])),
    fails: 'engine_failed',
  },
  {
    name: 'nothing after the previews',
    answers: [respondEvents(partials)],
    images: [preview, sharper],
    fails: 'engine_failed',
  },
  { name: 'nothing', answers: [respondEvents([])], fails: 'engine_failed' },
  {
    name: 'a cut after the previews',
    answers: [respondEvents(partials, 'cut')],
    images: [preview, sharper],
    fails: 'engine_failed',
  },
  {
    name: 'no more after a preview, until the user leaves',
    answers: [respondEvents([partialEvent(preview)], 'stall')],
    images: [preview],
    abort: 'after a preview',
  },
  {
    name: 'moderation after the previews',
    answers: [respondEvents([...partials, { type: 'error', error: blocked }])],
    images: [preview, sharper],
    fails: 'prompt_blocked',
  },
  {
    name: 'moderation before the previews',
    answers: [respondEvents([{ type: 'error', error: blocked }])],
    fails: 'prompt_blocked',
  },
  {
    name: 'an error without a wrapper',
    answers: [respondEvents([{ type: 'error', code: 'server_error', message: 'a heron named Quentin' }])],
    fails: 'engine_failed',
  },
  {
    name: 'an error that is a string',
    answers: [respondEvents([{ error: 'a heron named Quentin' }])],
    fails: 'engine_failed',
  },
  {
    name: 'an empty account',
    answers: [respondEvents([{ error: { code: 'insufficient_quota' } }])],
    fails: 'engine_out_of_credit',
    logs: /out of credit/,
  },
  {
    name: 'a rate limit, which may have been charged',
    answers: [respondEvents([{ error: { code: 'rate_limit_exceeded' } }])],
    fails: 'engine_busy',
  },
  {
    name: 'a model that is not there',
    answers: [respondEvents([{ error: { code: 'model_not_found' } }])],
    fails: 'engine_misconfigured',
    logs: /OPENAI_IMAGE_MODEL/,
  },
  {
    name: 'what is no JSON',
    answers: [respondBytes('data: {"type":\n\n', 'text/event-stream')],
    fails: 'engine_failed',
  },
  { name: '40 MB', answers: [respondEvents([completedEvent(huge)])], fails: 'engine_failed' },
]
