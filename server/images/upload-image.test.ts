import * as fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fitUrl, thumbnailUrl } from '../../shared/image-files.ts'
import { uploadMaxBytes } from '../../shared/limits.ts'
import { clerkEnv, signInAtClerk } from '../../test/support/clerk.ts'
import { tries } from '../../test/fuzz/seed.ts'
import { eventually } from '../../test/support/generations.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import { trpcTransport } from '../../test/support/transports.ts'
import { AppError } from '../errors/app-error.ts'
import { withPngChunk } from '../formats/image-files.ts'
import { imageQueueLength, imageSlots, unlessTooManyWait, whenSlotIsFree } from './processing.ts'
import { decodeDataUrl } from './upload-image.ts'

describe('images.upload', () => {
  const server = shareTestServer({ env: { DAILY_UPLOAD_LIMIT: '2' } })

  const photo = async () => new Uint8Array(await noisyImage().jpeg().toBuffer())

  /** Creates a form with one file. */
  function formOf(bytes: Uint8Array<ArrayBuffer>, field = 'file'): FormData {
    const form = new FormData()
    form.set(field, new Blob([bytes], { type: 'image/jpeg' }), 'photo.jpg')
    return form
  }

  test('stores a form or bytes as an image, which can be shared, once for the same bytes', async () => {
    const [asha, eve] = [await server().signUp(), await server().signUp()]
    const upload = (body: FormData | Blob) => asha.trpc.images.upload.mutate(body)
    for (const encode of [formOf, (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes])]) {
      const bytes = await photo()
      const image = await upload(encode(bytes))
      expect(image).toMatchObject({ state: 'succeeded', prompt: '', engine: '', width: 200, height: 150 })
      expect(await asha.trpc.images.get.query({ id: image.id })).toEqual(image)
      expect(await upload(formOf(bytes))).toEqual(image)
      for (const call of [eve.trpc.images.get.query, eve.trpc.images.delete.mutate])
        await expect(call({ id: image.id })).rejects.toMatchObject({ data: { httpStatus: 404 } })
      const post = { name: 'Asha', prompt: 'A photo', imageId: image.id }
      expect(await asha.trpc.posts.create.mutate(post)).toMatchObject({
        photo: image.photo,
        source: 'uploaded',
      })
    }
    await expect(upload(formOf(await photo()))).rejects.toMatchObject({
      data: { reason: 'upload_limit', httpStatus: 429, retryAfter: expect.any(Number) },
    })
  })

  test('labels an upload by its marks, and marks its copies', async () => {
    const asha = await server().signUp()
    const settings = 'a heron\nSteps: 20, Sampler: Euler, Seed: 7, Size: 200x150'
    const chunk = Buffer.from(`parameters\0${settings}`)
    const png = withPngChunk(await noisyImage().png().toBuffer(), 'tEXt', chunk)
    const image = await asha.trpc.images.upload.mutate(formOf(new Uint8Array(png)))
    expect(image).toMatchObject({ isAiMade: true, credentialsUrl: null, recipe: null })
    const post = await asha.trpc.posts.create.mutate({ prompt: 'A heron', imageId: image.id })
    expect(post).toMatchObject({ source: 'uploaded', isAiMade: true })
    expect(await server().client().posts.get.query({ id: post.id })).toMatchObject({
      marks: { sourceType: null, generator: 'AUTOMATIC1111', hasCredentials: false },
    })
    for (const address of [post.photo, thumbnailUrl(post.photo, 320), fitUrl(post.photo, 640)]) {
      const response = await server().request(address)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect((await sharp(bytes).metadata()).xmpAsString).toContain('/trainedAlgorithmicMedia"')
      expect(bytes.includes('heron')).toBe(false)
    }
    const signed = withPngChunk(await noisyImage().png().toBuffer(), 'caBX', Buffer.from('signed'))
    const unknown = await asha.trpc.images.upload.mutate(formOf(new Uint8Array(signed)))
    expect(unknown).toMatchObject({ isAiMade: null, credentialsUrl: null })
  })

  test('links an upload to the post whose image it shows, unless its uploader may not see that', async () => {
    const [asha, eve, carol] = [await server().signUp(), await server().signUp(), await server().signUp()]
    const blocks = await noisyImage(9, 8).png().toBuffer()
    const file = await sharp(blocks).resize(450, 400, { kernel: 'nearest' }).png().toBuffer()
    const resized = await sharp(file).resize(300).webp({ quality: 70 }).toBuffer()
    const share = async ({ trpc }: typeof asha, bytes: Buffer, visibility: 'public' | 'private') => {
      const { id: imageId } = await trpc.images.upload.mutate(formOf(new Uint8Array(bytes)))
      return (await trpc.posts.create.mutate({ prompt: 'Blocks', imageId, visibility })).id
    }
    const original = await share(asha, file, 'private')
    const earlier = await share(carol, resized, 'private')
    await asha.trpc.posts.update.mutate({ id: original, visibility: 'public' })
    for (const bytes of [resized, file]) {
      const copy = await share(eve, bytes, 'private')
      expect(await eve.trpc.posts.get.query({ id: copy })).toMatchObject({ original })
    }
    expect(await carol.trpc.posts.get.query({ id: earlier })).toMatchObject({ original: null })
    await asha.trpc.posts.update.mutate({ id: original, visibility: 'private' })
    const later = await share(eve, resized, 'private')
    expect(await eve.trpc.posts.get.query({ id: later })).toMatchObject({ original: null })
  })

  test('rejects uploads that are not images, too large, of visitors, or malformed forms', async () => {
    const asha = await server().signUp()
    const upload = (body: FormData | Blob) => asha.trpc.images.upload.mutate(body)
    const rejected = (httpStatus: number) => ({ data: { httpStatus } })
    await expect(upload(new Blob(['<svg/>']))).rejects.toMatchObject(rejected(400))
    await expect(upload(formOf(new Uint8Array(8), 'photo'))).rejects.toMatchObject(rejected(400))
    await expect(upload(new Blob([new Uint8Array(uploadMaxBytes + 1)]))).rejects.toMatchObject(rejected(413))
    for (const [type, body, who, path] of [
      ['multipart/form-data; boundary=x', 'not a form', asha, 'upload'],
      ['multipart/form-data', 'no boundary', asha, 'upload'],
      ['application/json', '{"file":"x"}', asha, 'upload'],
      ['application/octet-stream', new Uint8Array(2_000_000), undefined, 'upload'],
      ['application/octet-stream', new Uint8Array(2_000_000), undefined, 'uploadForEdit'],
    ] as const) {
      const headers = { origin: server().url, ...server().headersOf(who), 'content-type': type }
      const response = await server().request(`/trpc/images.${path}`, { method: 'POST', headers, body })
      expect([type, response.status]).toEqual([type, who ? 400 : 401])
    }
  })
})

describe('decodeDataUrl', () => {
  const alphabet = Array.from('ABYZabyz0189+/=-_ \n%é🪔\ud800\0')
  const nearlyBase64 = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 24 })
  const base64 = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.boolean())
    .map(([bytes, padded]) =>
      Buffer.from(bytes)
        .toString('base64')
        .replace(padded ? /$/ : /=*$/, ''),
    )
  const types = ['image/jpeg', 'image/png', 'IMAGE/WEBP', 'text/html', '', 'image/jpeg;charset=utf-8']

  test('accepts exactly the base64 of RFC 4648, of any type', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.oneof(base64, nearlyBase64), (type, encoded) => {
        const isBase64 =
          encoded !== '' &&
          /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(encoded)
        const decode = () => decodeDataUrl(`data:${type};base64,${encoded}`)
        if (isBase64) expect(Buffer.from(decode())).toEqual(Buffer.from(encoded, 'base64'))
        else expect(decode).toThrow(new AppError('bad_input', 'The photo is not valid base64.'))
      }),
      tries(3_000),
    )
  })

  test.each([0, 1])('accepts photos up to 20 MB, not %i bytes more', (more) => {
    const url = `data:image/jpeg;base64,${Buffer.alloc(uploadMaxBytes + more).toString('base64')}`
    if (more <= 0) expect(decodeDataUrl(url)).toHaveLength(uploadMaxBytes + more)
    else expect(() => decodeDataUrl(url)).toThrow('The photo has more than 20 MB.')
  })
})

describe('the slots for images', () => {
  /** Creates work that runs until the test releases it. */
  function heldWork() {
    const running: (() => void)[] = []
    const work = () => new Promise<void>((resolve) => void running.push(resolve))
    return { work, running }
  }

  test('process generated images before waiting uploads, and uploads in order', async () => {
    const { work, running } = heldWork()
    const order: string[] = []
    const named = (name: string) => async () => void order.push(name)
    const holders = Array.from({ length: imageSlots }, () => unlessTooManyWait(work))
    const waiting = [
      unlessTooManyWait(named('first upload')),
      unlessTooManyWait(named('second upload')),
      whenSlotIsFree(named('first image')),
      whenSlotIsFree(named('second image')),
    ]
    await eventually(() => running.length).toBe(imageSlots)
    for (const release of running) release()
    await Promise.all([...holders, ...waiting])
    expect(order).toEqual(['first image', 'second image', 'first upload', 'second upload'])
  })

  test('reject the uploads that exceed the queue, uncounted, but never generated images', async () => {
    const server = await startTestServer({ env: clerkEnv() })
    const photo = dataUrl(await noisyImage().jpeg().toBuffer())
    const share = (prompt: string) => trpcTransport.share(server, { prompt, photo }, signInAtClerk(server))
    const { work, running } = heldWork()
    onTestFinished(() => running.forEach((release) => release()))
    const holders = Array.from({ length: imageSlots }, () => whenSlotIsFree(work))
    const results = Array.from({ length: imageQueueLength + 5 }, (_, number) => share(`Photo ${number}`))
    const rejected: unknown[] = []
    for (const result of results) void result.then((value) => rejected.push(value))
    await eventually(() => rejected.length).toBe(5)
    const error = 'Many photos are being shared right now. Please try again in a moment.'
    for (const result of rejected) expect(result).toEqual({ status: 503, error, retryAfter: 10 })
    const paid = whenSlotIsFree(() => Promise.resolve('paid'))
    for (const release of running) release()
    expect(await paid).toBe('paid')
    await Promise.all(holders)
    const succeeded = (await Promise.all(results)).filter((result) => result.error === null)
    expect(succeeded).toHaveLength(imageQueueLength)
    const uploads = server.services.db.selectFrom('daily_usage').select('used').where('kind', '=', 'upload')
    const consumed = await uploads.where('used', '>', 0).execute()
    expect(consumed).toEqual(succeeded.map(() => ({ used: 1 })))
    expect(await share('Later')).toMatchObject({ error: null })
  })
})
