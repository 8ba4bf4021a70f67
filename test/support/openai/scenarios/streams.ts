import {
  answerBytes,
  answerEvents,
  answerPicture,
  answerSlowly,
  completedEvent,
  partialEvent,
} from '../provider-responses.ts'
import { pictures } from '../images.ts'
import type { Scenario } from '../scenario.ts'

const { jpeg, preview, sharper, png, svg, huge } = pictures
const base64 = jpeg.toString('base64')
const partials = [partialEvent(preview, 0), partialEvent(sharper, 1)]
const blocked = { code: 'moderation_blocked', moderation_details: { moderation_stage: 'output' } }

/** Streams of events. */
export const streams: Scenario[] = [
  {
    name: 'previews and the image',
    answers: [answerEvents([...partials, completedEvent(jpeg)])],
    pictures: [preview, sharper, jpeg],
  },
  { name: 'the image alone', answers: [answerEvents([completedEvent(png)])], pictures: [png] },
  {
    name: 'small pieces and comments',
    answers: [answerSlowly([...partials, completedEvent(jpeg)])],
    pictures: [preview, sharper, jpeg],
  },
  {
    name: 'events as text/plain',
    answers: [answerBytes(`data: ${JSON.stringify(completedEvent(jpeg))}\r\n\r\n`, 'text/plain')],
    pictures: [jpeg],
  },
  {
    name: 'no blank line at the end',
    answers: [answerBytes(`data: ${JSON.stringify(completedEvent(jpeg))}`, 'text/event-stream')],
    pictures: [jpeg],
  },
  {
    name: 'the plain answer as its one event',
    answers: [answerEvents([{ data: [{ b64_json: base64 }] }])],
    pictures: [jpeg],
  },
  {
    name: 'events of unknown types',
    answers: [answerEvents([{ type: 'ping' }, completedEvent(jpeg)])],
    pictures: [jpeg],
  },
  {
    name: 'previews that are SVG or empty',
    answers: [answerEvents([partialEvent(svg), partialEvent(Buffer.alloc(0)), completedEvent(jpeg)])],
    pictures: [jpeg],
  },
  {
    name: 'an image without previews, which is an SVG',
    answers: [answerEvents([completedEvent(svg)])],
    fails: 'engine_failed',
  },
  {
    name: 'images without b64_json, then a plain answer',
    answers: [
      answerEvents([
        { ...partialEvent(jpeg), b64_json: '' },
        { ...completedEvent(jpeg), b64_json: '' },
      ]),
      answerPicture(jpeg),
    ],
    pictures: [jpeg],
  },
  {
    name: 'no b64_json, even where no stream was requested',
    answers: Array.from({ length: 2 }, () => answerEvents([{ type: 'image_generation.completed' }])),
    fails: 'engine_failed',
  },
  {
    name: 'nothing after the previews',
    answers: [answerEvents(partials)],
    pictures: [preview, sharper],
    fails: 'engine_failed',
  },
  { name: 'nothing', answers: [answerEvents([])], fails: 'engine_failed' },
  {
    name: 'a cut after the previews',
    answers: [answerEvents(partials, 'cut')],
    pictures: [preview, sharper],
    fails: 'engine_failed',
  },
  {
    name: 'no more after a preview, until the user leaves',
    answers: [answerEvents([partialEvent(preview)], 'stall')],
    pictures: [preview],
    abort: 'after a preview',
  },
  {
    name: 'moderation after the previews',
    answers: [answerEvents([...partials, { type: 'error', error: blocked }])],
    pictures: [preview, sharper],
    fails: 'prompt_blocked',
  },
  {
    name: 'moderation before the previews',
    answers: [answerEvents([{ type: 'error', error: blocked }])],
    fails: 'prompt_blocked',
  },
  {
    name: 'an error without a wrapper',
    answers: [answerEvents([{ type: 'error', code: 'server_error', message: 'a heron named Quentin' }])],
    fails: 'engine_failed',
  },
  {
    name: 'an error that is a string',
    answers: [answerEvents([{ error: 'a heron named Quentin' }])],
    fails: 'engine_failed',
  },
  {
    name: 'an empty account',
    answers: [answerEvents([{ error: { code: 'insufficient_quota' } }])],
    fails: 'engine_out_of_credit',
    logs: /out of credit/,
  },
  {
    name: 'a rate limit, which may have been charged',
    answers: [answerEvents([{ error: { code: 'rate_limit_exceeded' } }])],
    fails: 'engine_busy',
  },
  {
    name: 'a model that is not there',
    answers: [answerEvents([{ error: { code: 'model_not_found' } }])],
    fails: 'engine_misconfigured',
    logs: /OPENAI_IMAGE_MODEL/,
  },
  {
    name: 'what is no JSON',
    answers: [answerBytes('data: {"type":\n\n', 'text/event-stream')],
    fails: 'engine_failed',
  },
  { name: '40 MB', answers: [answerEvents([completedEvent(huge)])], fails: 'engine_failed' },
]
