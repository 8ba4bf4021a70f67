import { afterEach, beforeAll, expect, test } from 'vitest'
import { uploadMaxBytes } from '../../shared/limits.ts'
import { trpcTransport } from '../../test/support/transports.ts'
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

// Each is rejected without storing anything.
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
const noName = '`name` must be a string.'
const noPhoto = '`photo` must be a data URL.'
const longPrompt = 'A prompt may have at most 4,000 characters.'
const family = '👩‍👩‍👧‍👦'
const tooMuch = (what: string, codeUnits: string) =>
  `A ${what} may have at most ${codeUnits} UTF-16 code units. Emoji and combined letters take several each: use fewer of them.`

test.each<[what: string, changes: object, error: string]>([
  ['no prompt', { prompt: undefined }, incomplete],
  ['a blank prompt', { prompt: ' \n\u00a0' }, incomplete],
  ['an invisible prompt', { prompt: '\u200b\u202e' }, incomplete],
  ['a number as prompt', { prompt: 5 }, incomplete],
  ['a prompt of 4,001 emoji', { prompt: '🪔'.repeat(4_001) }, longPrompt],
  ['a prompt of 1,455 families', { prompt: family.repeat(1_455) }, tooMuch('prompt', '16,000')],
  ['a tower of marks', { prompt: `x${'\u0301'.repeat(16_000)}` }, tooMuch('prompt', '16,000')],
  ['more characters once composed', { prompt: '\u0958\u0301\u0301'.repeat(4_001) }, longPrompt],
  [
    'more code units once composed',
    { prompt: '\u0958\u0301\u0301\u0301'.repeat(4_000) },
    tooMuch('prompt', '16,000'),
  ],
  ['a name of 30 families', { name: family.repeat(30) }, tooMuch('name', '320')],
  ['a name of 81 letters', { name: 'x'.repeat(81) }, 'A name may have at most 80 characters.'],
  ['null as name', { name: null }, noName],
  ['an array as name', { name: ['Asha'] }, noName],
  ['no photo', { photo: undefined }, incomplete],
  ['an empty photo', { photo: '' }, incomplete],
  ['null as photo', { photo: null }, noPhoto],
  ['an array as photo', { photo: ['x'] }, noPhoto],
])('rejects a post with %s', async (_, changes, error) => {
  expect(await trpcTransport.share(server(), { ...fine, ...changes }, asha)).toMatchObject({
    status: 400,
    error,
  })
})

const noDataUrl = 'The photo must be a data URL in base64.'
const badBase64 = 'The photo is not valid base64.'
const notTaken = 'The photo is not a JPEG, PNG or WebP image.'
const unreadable = 'The photo could not be read as an image.'
const text = (content: string) => dataUrl(Buffer.from(content, 'latin1'))

test.each<[what: string, photo: () => string | Promise<string>, error: string, status?: number]>([
  ['an address', () => 'https://example.org/lotus.jpg', noDataUrl],
  ['a file on the server', () => 'file:///etc/passwd', noDataUrl],
  ['base64 alone', () => fine.photo.slice('data:image/jpeg;base64,'.length), noDataUrl],
  ['a data URL without base64', () => 'data:image/svg+xml,<svg/>', noDataUrl],
  ['an empty data URL', () => 'data:image/jpeg;base64,', badBase64],
  ['broken base64', () => 'data:image/jpeg;base64,%%%%', badBase64],
  ['base64 on two lines', () => fine.photo.replace(/.{60}/, '$&\n'), badBase64],
  ['SVG', () => text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), notTaken],
  ['HTML declared as JPEG', () => text('<!doctype html><script>alert(1)</script>'), notTaken],
  ['HTML behind JPEG’s first bytes', () => text('\xff\xd8\xff<!doctype html>'), unreadable],
  ['a truncated JPEG', async () => dataUrl(await cutShort(noisyImage().jpeg())), unreadable],
  ['a truncated PNG', async () => dataUrl(await cutShort(noisyImage().png())), unreadable],
  ['a decompression bomb', () => dataUrl(pixelBomb()), 'The photo has more than 40 megapixels.', 413],
  [
    'one byte more than 20 MB',
    () => dataUrl(Buffer.alloc(uploadMaxBytes + 1)),
    'The photo has more than 20 MB.',
    413,
  ],
])('rejects a post whose photo is %s', async (_, photo, error, status = 400) => {
  expect(await trpcTransport.share(server(), { ...fine, photo: await photo() }, asha)).toMatchObject({
    status,
    error,
  })
})
