import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchImage } from './image-response.ts'
import { respondBytes, respondRedirect } from '../../../test/support/openai/provider-responses.ts'
import { type Responder, startFakeProvider } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'

const { signal } = new AbortController()
const jpeg = respondBytes(images.jpeg, 'image/jpeg')

/** Starts a host on loopback, with rules that allow its address and a resolver that returns each result once. */
async function openHost(files: Readonly<Record<string, Responder>>, ...resolved: string[][]) {
  const host = await startFakeProvider([], files)
  onTestFinished(host.stop)
  const lookups: string[] = []
  const rules = {
    resolve(hostname: string) {
      lookups.push(hostname)
      const addresses = resolved[lookups.length - 1] ?? []
      return Promise.resolve(addresses.map((address) => ({ address, family: 4 })))
    },
    isAllowed: (address: string) => address === '127.0.0.1',
  }
  const port = new URL(host.origin).port
  return { host, lookups, port, rules, options: { ownOrigin: 'https://api.example', signal, rules } }
}

describe('fetchImage from another host', () => {
  test('connects to the address that was checked, even if the name resolves to another one later', async () => {
    const { host, lookups, port, options } = await openHost({ '/1.jpg': jpeg }, ['127.0.0.1'], ['10.0.0.1'])
    const bytes = await fetchImage(`http://images.example:${port}/1.jpg`, options)
    expect(Buffer.compare(bytes, images.jpeg)).toBe(0)
    expect(lookups).toEqual(['images.example'])
    expect(host.fetches[0]?.headers).toMatchObject({ host: `images.example:${port}` })
    expect(Object.keys(host.fetches[0]?.headers ?? {})).not.toContain('authorization')
  })

  test('checks the address again after each redirect', async () => {
    const files = { '/1.jpg': respondRedirect('/2.jpg'), '/2.jpg': jpeg }
    const { host, lookups, port, options } = await openHost(files, ['127.0.0.1'], ['10.0.0.1'])
    const fetched = fetchImage(`http://images.example:${port}/1.jpg`, options)
    await expect(fetched).rejects.toMatchObject({ code: 'engine_failed', message: /not allowed/ })
    expect(lookups).toEqual(['images.example', 'images.example'])
    expect(host.fetches).toHaveLength(1)
  })

  test.each([[['127.0.0.1', '10.0.0.1']], [['192.168.0.1']], [[]]])(
    'rejects a host that resolves to %j',
    async (addresses) => {
      const { host, port, options } = await openHost({ '/1.jpg': jpeg }, addresses)
      const fetched = fetchImage(`http://images.example:${port}/1.jpg`, options)
      await expect(fetched).rejects.toMatchObject({ code: 'engine_failed' })
      expect(host.fetches).toHaveLength(0)
    },
  )

  test('rejects an unknown host', async () => {
    const { port, options } = await openHost({})
    const resolve = () =>
      Promise.reject(Object.assign(new Error('queryA ENOTFOUND images.example'), { code: 'ENOTFOUND' }))
    const rules = { ...options.rules, resolve }
    const fetched = fetchImage(`http://images.example:${port}/1.jpg`, { ...options, rules })
    await expect(fetched).rejects.toMatchObject({
      message: 'the image could not be fetched: the host is unknown',
    })
  })

  test('stops when the signal is aborted', async () => {
    const controller = new AbortController()
    const abort = () => controller.abort(new Error('aborted'))
    const { port, options } = await openHost({ '/1.jpg': abort }, ['127.0.0.1'])
    const fetched = fetchImage(`http://images.example:${port}/1.jpg`, {
      ...options,
      signal: controller.signal,
    })
    await expect(fetched).rejects.toMatchObject({ code: 'engine_failed' })
  })
})
