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
    name: 'yields previews, then the image',
    responders: [respondEvents([...partials, completedEvent(jpeg)])],
    images: [preview, sharper, jpeg],
  },
  {
    name: 'yields an image without previews',
    responders: [respondEvents([completedEvent(png)])],
    images: [png],
  },
  {
    name: 'reads small chunks with comments between events',
    responders: [respondSlowly([...partials, completedEvent(jpeg)])],
    images: [preview, sharper, jpeg],
  },
  {
    name: 'reads events with the content type text/plain',
    responders: [respondBytes(`data: ${JSON.stringify(completedEvent(jpeg))}\r\n\r\n`, 'text/plain')],
    images: [jpeg],
  },
  {
    name: 'reads a last event without a blank line after it',
    responders: [respondBytes(`data: ${JSON.stringify(completedEvent(jpeg))}`, 'text/event-stream')],
    images: [jpeg],
  },
  {
    name: 'reads a plain response as the only event',
    responders: [respondEvents([{ data: [{ b64_json: base64 }] }])],
    images: [jpeg],
  },
  {
    name: 'ignores events of unknown types',
    responders: [respondEvents([{ type: 'ping' }, completedEvent(jpeg)])],
    images: [jpeg],
  },
  {
    name: 'skips previews that are SVG or empty',
    responders: [respondEvents([partialEvent(svg), partialEvent(Buffer.alloc(0)), completedEvent(jpeg)])],
    images: [jpeg],
  },
  {
    name: 'rejects an SVG',
    responders: [respondEvents([completedEvent(svg)])],
    error: 'engine_failed',
  },
  {
    name: 'requests an image without a stream after a stream without images',
    responders: [
      respondEvents([
        { ...partialEvent(jpeg), b64_json: '' },
        { ...completedEvent(jpeg), b64_json: '' },
      ]),
      respondImage(jpeg),
    ],
    images: [jpeg],
  },
  {
    name: 'fails if there is no image without a stream either',
    responders: Array.from({ length: 2 }, () => respondEvents([{ type: 'image_generation.completed' }])),
    error: 'engine_failed',
  },
  {
    name: 'fails if the stream ends after the previews',
    responders: [respondEvents(partials)],
    images: [preview, sharper],
    error: 'engine_failed',
  },
  { name: 'fails if the stream is empty', responders: [respondEvents([])], error: 'engine_failed' },
  {
    name: 'fails if the connection is lost after the previews',
    responders: [respondEvents(partials, 'cut')],
    images: [preview, sharper],
    error: 'engine_failed',
  },
  {
    name: 'stops a stalled stream when aborted',
    responders: [respondEvents([partialEvent(preview)], 'stall')],
    images: [preview],
    abort: 'after preview',
  },
  {
    name: 'reports moderation after previews',
    responders: [respondEvents([...partials, { type: 'error', error: blocked }])],
    images: [preview, sharper],
    error: 'prompt_blocked',
  },
  {
    name: 'reports moderation before previews',
    responders: [respondEvents([{ type: 'error', error: blocked }])],
    error: 'prompt_blocked',
  },
  {
    name: 'reads an error without a wrapper',
    responders: [respondEvents([{ type: 'error', code: 'server_error', message: 'a heron named Quentin' }])],
    error: 'engine_failed',
  },
  {
    name: 'reads an error that is a string',
    responders: [respondEvents([{ error: 'a heron named Quentin' }])],
    error: 'engine_failed',
  },
  {
    name: 'reports an account without credit',
    responders: [respondEvents([{ error: { code: 'insufficient_quota' } }])],
    error: 'engine_out_of_credit',
    logs: /out of credit/,
  },
  {
    name: 'does not retry after a rate limit, because the image may have been charged',
    responders: [respondEvents([{ error: { code: 'rate_limit_exceeded' } }])],
    error: 'engine_busy',
  },
  {
    name: 'reports an unknown model',
    responders: [respondEvents([{ error: { code: 'model_not_found' } }])],
    error: 'engine_misconfigured',
    logs: /OPENAI_IMAGE_MODEL/,
  },
  {
    name: 'rejects invalid JSON',
    responders: [respondBytes('data: {"type":\n\n', 'text/event-stream')],
    error: 'engine_failed',
  },
  {
    name: 'rejects an image of 40 MB',
    responders: [respondEvents([completedEvent(huge)])],
    error: 'engine_failed',
  },
]
