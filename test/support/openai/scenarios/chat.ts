import {
  chatImage,
  dataUrl,
  respondBytes,
  respondChat,
  respondChatImage,
  respondError,
  respondJson,
  respondNothing,
  respondReset,
} from '../provider-responses.ts'
import { images } from '../images.ts'
import { key, type Scenario } from '../scenario.ts'

const { jpeg, png, webp, svg, html, huge } = images
const answered = (text: string) => `The model generated no image. It answered: “${text}”.`
const noReferences = 'This engine cannot use reference images. Remove them, or choose another engine.'
const referenced = { request: { references: [jpeg] } }

/** Chat completions with an image. */
export const chatImages: Scenario[] = [
  {
    name: 'yields the image of a data URL',
    responders: [respondChatImage(jpeg)],
    images: [jpeg],
  },
  {
    name: 'yields the first of several images, whatever the declared type',
    responders: [respondChat({ content: null, images: [{}, ...[webp, png].map(dataUrl).map(chatImage)] })],
    images: [webp],
  },
  {
    name: 'yields an image among the parts of the content',
    responders: [respondChat({ content: [{ type: 'text', text: 'Here:' }, chatImage(dataUrl(png))] })],
    images: [png],
  },
  {
    name: 'yields an image whose URL has no wrapper',
    responders: [respondChat({ images: [{ image_url: dataUrl(png) }] })],
    images: [png],
  },
  {
    name: 'fetches an image without a credential',
    responders: [respondChat((origin: string) => ({ images: [chatImage(`${origin}/files/1.png`)] }))],
    files: { '/files/1.png': respondBytes(png, 'text/html') },
    images: [png],
    fetches: 1,
  },
  {
    name: 'reports the model that generated the image',
    responders: [respondChatImage(jpeg, { model: 'google/gemini-image:free' })],
    images: [jpeg],
    settings: { model: 'google/gemini-image:free' },
  },
  {
    name: 'yields an image although the content filter shortened the text',
    responders: [respondChatImage(jpeg, { choice: { finish_reason: 'content_filter' } })],
    images: [jpeg],
  },
  {
    name: 'requests images only from a model that rejects text',
    responders: [
      respondError(404, {
        message: 'No endpoints found that support the requested output modalities: image, text',
        code: 404,
      }),
      respondChatImage(jpeg),
    ],
    images: [jpeg],
    logs: /"modalities\.text","forAnHour":true/,
  },
  {
    name: 'leaves out a rejected aspect ratio',
    responders: [
      respondError(400, { message: 'Unrecognized request argument: image_config' }),
      respondChatImage(jpeg),
    ],
    images: [jpeg],
  },
  {
    name: 'waits for a rate limit',
    responders: [respondError(429, { code: 429 }, { 'retry-after-ms': '1' }), respondChatImage(jpeg)],
    images: [jpeg],
  },
]

/** Chat completions without an image. */
export const chatRefusals: Scenario[] = [
  {
    name: 'quotes the text in place of an image',
    responders: [respondChat({ content: 'I cannot draw living persons.' })],
    error: 'engine_failed',
    message: answered('I cannot draw living persons.'),
  },
  {
    name: 'quotes a refusal',
    responders: [respondChat({ content: null, refusal: 'No.' })],
    error: 'engine_failed',
    message: answered('No.'),
  },
  {
    name: 'quotes text on one line without control characters',
    responders: [
      respondChat({
        content: [{ text: ' I\u0000\u001b[31m will\r\n\n\u202enot\u2028 ' }, 7, null, { text: 'draw' }],
      }),
    ],
    error: 'engine_failed',
    message: answered('I [31m will not draw'),
  },
  {
    name: 'quotes the beginning of a long text',
    responders: [respondChat({ content: '🪔'.repeat(100_000) })],
    error: 'engine_failed',
    message: answered(`${'🪔'.repeat(149)}…`),
  },
  {
    name: 'does not quote a text that contains the key',
    responders: [respondChat({ content: `Your key is ${key}.` })],
    error: 'engine_failed',
  },
  {
    name: 'recognizes the content filter',
    responders: [respondChat({ content: 'Blocked.' }, { choice: { finish_reason: 'content_filter' } })],
    error: 'prompt_blocked',
  },
  {
    name: "recognizes OpenRouter's moderation",
    responders: [
      respondError(403, {
        code: 403,
        message: 'The model requires moderation, and your input was flagged',
        metadata: { reasons: ['violence'], flagged_input: 'a heron named Quentin', provider_name: 'x' },
      }),
    ],
    error: 'prompt_blocked',
    logs: /"moderationStage":"input"/,
  },
  {
    name: 'recognizes moderation by the provider behind a gateway',
    responders: [
      respondError(400, {
        code: 400,
        message: 'Provider returned error',
        metadata: { raw: '{"error":{"code":"moderation_blocked"}}' },
      }),
    ],
    error: 'prompt_blocked',
  },
  {
    name: 'names the reference images if the model takes none',
    ...referenced,
    responders: [respondError(404, { code: 404, message: 'No endpoints found that support image input' })],
    error: 'engine_failed',
    message: noReferences,
  },
]

const failed = (name: string, responder: Scenario['responders'][number]): Scenario => ({
  name,
  responders: [responder],
  error: 'engine_failed',
})

/** Responses that are errors, incomplete or hostile. */
export const chatErrors: Scenario[] = [
  {
    name: 'reports credit that is used up',
    responders: [respondError(402, { code: 402, message: 'Insufficient credits' })],
    error: 'engine_out_of_credit',
  },
  {
    name: 'reports an error with status 200',
    responders: [respondJson({ error: { code: 402, message: 'Insufficient credits' } })],
    error: 'engine_out_of_credit',
  },
  {
    name: 'reports the error of a choice',
    responders: [
      respondChat(
        { content: '' },
        { choice: { finish_reason: 'error', error: { code: 504, message: 'late' } } },
      ),
    ],
    error: 'engine_timeout',
  },
  {
    name: 'reports a rate limit of the provider',
    responders: [respondJson({ error: { code: '429', message: 'upstream' } })],
    error: 'engine_busy',
  },
  {
    name: 'stops when aborted',
    responders: [respondNothing()],
    abort: 'on request',
  },
  failed('reports a code that is no status', respondJson({ error: { code: -1 } })),
  failed('reports an error that is a string', respondJson({ error: key })),
  failed('reports a lost connection', respondReset()),
  failed('rejects a page', respondBytes(html, 'text/html')),
  failed('rejects cut off JSON', respondBytes('{"choices":[{"message":', 'application/json')),
  failed('rejects a stream', respondBytes('data: {"choices":[]}\n\n', 'text/event-stream')),
  failed('rejects null', respondJson(null)),
  failed('rejects a response without choices', respondJson({ choices: 'none' })),
  failed('rejects an empty list of choices', respondJson({ choices: [] })),
  failed('rejects a choice without a message', respondJson({ choices: [null] })),
  failed('rejects a message that is a string', respondChat('image')),
  failed('rejects a message without content', respondChat({})),
  failed('rejects images that are no images', respondChat({ images: [null, 3, { image_url: { url: 7 } }] })),
  failed('rejects an SVG', respondChatImage(svg)),
  failed('rejects incomplete base64', respondChat({ images: [chatImage('data:image/png;base64,@@@')] })),
  failed('rejects a URL of another scheme', respondChat({ images: [chatImage('file:///etc/passwd')] })),
  failed(
    'rejects an image at a private address',
    respondChat({ images: [chatImage('http://169.254.169.254/latest')] }),
  ),
  failed('rejects an image of 40 MB', respondChatImage(huge)),
]
