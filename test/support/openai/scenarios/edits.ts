import {
  completedEvent,
  editEvent,
  partialEvent,
  respondBytes,
  respondError,
  respondEvents,
  respondImage,
  respondJson,
} from '../provider-responses.ts'
import { images } from '../images.ts'
import type { Scenario } from '../scenario.ts'

const { jpeg, preview, png, webp } = images
const request = { references: [jpeg] }
const noReferences = 'This engine cannot use reference images. Remove them, or choose another engine.'
const withoutEdits: Omit<Scenario, 'name' | 'responders'> = {
  request,
  error: 'engine_failed',
  message: noReferences,
  model: 'flux',
}

/** Requests with reference images. */
export const edits: Scenario[] = [
  {
    name: 'yields the previews and the image of a stream',
    request,
    responders: [respondEvents([editEvent(partialEvent(preview)), editEvent(completedEvent(jpeg))])],
    images: [preview, jpeg],
  },
  {
    name: 'accepts plain JSON, although a stream was requested',
    request: { ...request, mask: png },
    responders: [respondImage(webp)],
    images: [webp],
  },
  {
    name: 'leaves out a rejected parameter',
    request,
    responders: [respondError(400, { code: 'unknown_parameter', param: 'quality' }), respondImage(jpeg)],
    images: [jpeg],
  },
  {
    name: 'waits for a rate limit',
    request,
    responders: [respondError(429, {}, { 'retry-after-ms': '1' }), respondImage(jpeg)],
    images: [jpeg],
  },
  {
    name: 'reports a blocked reference image',
    request,
    responders: [respondError(400, { code: 'moderation_blocked' })],
    error: 'prompt_blocked',
  },
  {
    name: 'names the reference images if the server has no edits',
    ...withoutEdits,
    responders: [respondBytes('404 page not found', 'text/plain', 404)],
  },
  {
    name: "names the reference images if FastAPI's server has no edits",
    ...withoutEdits,
    responders: [respondJson({ detail: 'Not Found' }, { status: 404 })],
  },
  {
    name: 'names the reference images if the method is not allowed',
    ...withoutEdits,
    responders: [respondJson({ detail: 'Method Not Allowed' }, { status: 405 })],
  },
  {
    name: 'names the reference images if edits are not implemented',
    ...withoutEdits,
    responders: [respondError(501, { message: 'not implemented' })],
  },
  {
    name: 'reports an unknown model as a configuration error',
    request,
    responders: [respondError(404, { code: 'model_not_found' })],
    error: 'engine_misconfigured',
  },
  {
    name: 'reports an unknown model without a code as a configuration error',
    request,
    responders: [respondError(404, { message: 'The model `flux` does not exist.', type: 'NotFoundError' })],
    error: 'engine_misconfigured',
  },
  {
    name: 'rejects a mask that is no image, before a request',
    request: { ...request, mask: images.html },
    responders: [],
    error: 'engine_failed',
  },
]
