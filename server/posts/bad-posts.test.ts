import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { uploadMaxBytes } from '../../shared/limits.ts'
import { forEachTransport } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { cutShort, dataUrl, noisyImage, pixelBomb } from '../../test/support/images.ts'
import { uploadsIn } from '../../test/support/site.ts'

const server = shareTestServer()
let asha: TestUser
let fine: { name: string; prompt: string; photo: string }

beforeAll(async () => {
  asha = await server().signUp()
  fine = { name: 'Asha', prompt: 'A lotus', photo: dataUrl(await plainJpeg('a lotus')) }
})

afterEach(async () => {
  const { db } = server().services
  for (const table of ['posts', 'images'] as const)
    expect(await db.selectFrom(table).select('id').execute()).toEqual([])
  // Uploads that are rejected after decoding consume quota: see upload-quota.test.ts.
  const usage = db.selectFrom('daily_usage').select('kind').distinct().where('used', '>', 0)
  expect((await usage.execute()).filter(({ kind }) => kind !== 'upload')).toEqual([])
  expect(await uploadsIn(server().directory)).toEqual([])
})

const incomplete = 'Please enter a prompt and generate an image'
const noText = { name: '`name` must be a string.', photo: '`photo` must be a data URL.' }
const tooLong = {
  prompt: 'A prompt may have at most 4,000 characters.',
  name: 'A name may have at most 80 characters.',
}
const family = '👩‍👩‍👧‍👦'
const tooMuch = (what: string, codeUnits: string) =>
  `A ${what} may have at most ${codeUnits} UTF-16 code units. Emoji and combined letters take several each: use fewer of them.`
const unreadableJson = 'The request is not readable JSON.'

describe('posts.create stores nothing for an invalid post', () => {
  test.each(
    forEachTransport<{ what: string; body: () => unknown; error: string }>([
      { what: 'unreadable JSON', body: () => '{"prompt":', error: unreadableJson },
      { what: 'no JSON at all', body: () => 'prompt=lotus', error: unreadableJson },
      { what: 'an array', body: () => [fine], error: incomplete },
      { what: 'an empty array', body: () => [], error: incomplete },
      { what: 'a number', body: () => 5, error: incomplete },
      { what: 'a string', body: () => '"lotus"', error: incomplete },
      { what: 'null', body: () => null, error: incomplete },
      { what: 'an empty object', body: () => ({}), error: incomplete },
      { what: 'no prompt', body: () => ({ ...fine, prompt: undefined }), error: incomplete },
      { what: 'an empty prompt', body: () => ({ ...fine, prompt: '' }), error: incomplete },
      { what: 'a blank prompt', body: () => ({ ...fine, prompt: ' \n\u00a0' }), error: incomplete },
      { what: 'an invisible prompt', body: () => ({ ...fine, prompt: '\u200b\u202e' }), error: incomplete },
      { what: 'null as prompt', body: () => ({ ...fine, prompt: null }), error: incomplete },
      { what: 'a number as prompt', body: () => ({ ...fine, prompt: 5 }), error: incomplete },
      { what: 'an object as prompt', body: () => ({ ...fine, prompt: { text: 'x' } }), error: incomplete },
      {
        what: 'a prompt of 4,001 emoji',
        body: () => ({ ...fine, prompt: '🪔'.repeat(4_001) }),
        error: tooLong.prompt,
      },
      {
        what: 'a prompt of 1,455 families',
        body: () => ({ ...fine, prompt: family.repeat(1_455) }),
        error: tooMuch('prompt', '16,000'),
      },
      {
        what: 'a tower of 16,000 marks as prompt',
        body: () => ({ ...fine, prompt: `x${'\u0301'.repeat(16_000)}` }),
        error: tooMuch('prompt', '16,000'),
      },
      {
        what: 'a prompt with more characters once it is composed',
        body: () => ({ ...fine, prompt: '\u0958\u0301\u0301'.repeat(4_001) }),
        error: tooLong.prompt,
      },
      {
        what: 'a prompt with more code units once it is composed',
        body: () => ({ ...fine, prompt: '\u0958\u0301\u0301\u0301'.repeat(4_000) }),
        error: tooMuch('prompt', '16,000'),
      },
      {
        what: 'a name of 30 families',
        body: () => ({ ...fine, name: family.repeat(30) }),
        error: tooMuch('name', '320'),
      },
      { what: 'a name of 81 letters', body: () => ({ ...fine, name: 'x'.repeat(81) }), error: tooLong.name },
      { what: 'null as name', body: () => ({ ...fine, name: null }), error: noText.name },
      { what: 'a number as name', body: () => ({ ...fine, name: 5 }), error: noText.name },
      { what: 'an array as name', body: () => ({ ...fine, name: ['Asha'] }), error: noText.name },
      { what: 'no photo', body: () => ({ ...fine, photo: undefined }), error: incomplete },
      { what: 'an empty photo', body: () => ({ ...fine, photo: '' }), error: incomplete },
      { what: 'null as photo', body: () => ({ ...fine, photo: null }), error: noText.photo },
      { what: 'an array as photo', body: () => ({ ...fine, photo: [fine.photo] }), error: noText.photo },
    ]),
  )('$what, through $transport.name', async ({ transport, body, error }) => {
    expect(await transport.share(server(), body(), asha)).toMatchObject({ status: 400, error })
  })
})

describe('posts.create stores nothing for an invalid photo', () => {
  const noDataUrl = 'The photo must be a data URL in base64.'
  const badBase64 = 'The photo is not valid base64.'
  const notTaken = 'The photo is not a JPEG, PNG or WebP image.'
  const unreadable = 'The photo could not be read as an image.'
  const text = (content: string) => dataUrl(Buffer.from(content, 'latin1'))

  test.each(
    forEachTransport<{ what: string; photo: () => string | Promise<string>; status?: number; error: string }>(
      [
        { what: 'an address', photo: () => 'https://example.org/lotus.jpg', error: noDataUrl },
        { what: 'a file on the server', photo: () => 'file:///etc/passwd', error: noDataUrl },
        {
          what: 'base64 alone',
          photo: () => fine.photo.slice('data:image/jpeg;base64,'.length),
          error: noDataUrl,
        },
        { what: 'a data URL without base64', photo: () => 'data:image/svg+xml,<svg/>', error: noDataUrl },
        { what: 'an empty data URL', photo: () => 'data:image/jpeg;base64,', error: badBase64 },
        { what: 'broken base64', photo: () => 'data:image/jpeg;base64,%%%%', error: badBase64 },
        { what: 'base64 on two lines', photo: () => fine.photo.replace(/.{60}/, '$&\n'), error: badBase64 },
        { what: 'text', photo: () => text('a lotus'), error: notTaken },
        {
          what: 'SVG',
          photo: () => text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
          error: notTaken,
        },
        {
          what: 'HTML declared as JPEG',
          photo: () => text('<!doctype html><script>alert(1)</script>'),
          error: notTaken,
        },
        {
          what: 'HTML behind JPEG’s first bytes',
          photo: () => text('\xff\xd8\xff<!doctype html>'),
          error: unreadable,
        },
        {
          what: 'a truncated JPEG',
          photo: async () => dataUrl(await cutShort(noisyImage().jpeg())),
          error: unreadable,
        },
        {
          what: 'a truncated PNG',
          photo: async () => dataUrl(await cutShort(noisyImage().png())),
          error: unreadable,
        },
        {
          what: 'a decompression bomb',
          photo: () => dataUrl(pixelBomb()),
          status: 413,
          error: 'The photo has more than 40 megapixels.',
        },
        {
          what: 'one byte more than 20 MB',
          photo: () => dataUrl(Buffer.alloc(uploadMaxBytes + 1)),
          status: 413,
          error: 'The photo has more than 20 MB.',
        },
        {
          what: 'much more than 20 MB',
          photo: () => dataUrl(Buffer.alloc(uploadMaxBytes * 1.5)),
          status: 413,
          error: 'The request is too large.',
        },
      ],
    ),
  )('$what, through $transport.name', async ({ transport, photo, status = 400, error }) => {
    expect(await transport.share(server(), { ...fine, photo: await photo() }, asha)).toMatchObject({
      status,
      error,
    })
  })
})

test.each(forEachTransport([{}]))(
  'rejects a post without credentials through $transport.name',
  async ({ transport }) => {
    expect(await transport.share(server(), fine)).toMatchObject({
      status: 401,
      error: 'Please sign in first.',
    })
  },
)
