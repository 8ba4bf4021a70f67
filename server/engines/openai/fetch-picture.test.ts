import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchPicture } from './fetch-picture.ts'
import { answerBytes, answerRedirect } from './provider-answers.ts'
import { startProviderDouble, type Answer } from './provider-double.ts'
import { pictures } from './test-pictures.ts'

const { signal } = new AbortController()
const jpeg = answerBytes(pictures.jpeg, 'image/jpeg')

/** A host on loopback that the rules take for a public one, and a resolver that knows it by a name. */
async function openHost(files: Readonly<Record<string, Answer>>, ...resolved: string[][]) {
  const host = await startProviderDouble([], files)
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

describe('a picture on another host', () => {
  test('is fetched from the address that was checked, whatever the name leads to a moment later', async () => {
    const { host, lookups, port, options } = await openHost({ '/1.jpg': jpeg }, ['127.0.0.1'], ['10.0.0.1'])
    const bytes = await fetchPicture(`http://pictures.example:${port}/1.jpg`, options)
    expect(Buffer.compare(bytes, pictures.jpeg)).toBe(0)
    expect(lookups).toEqual(['pictures.example'])
    expect(host.fetches[0]?.headers).toMatchObject({ host: `pictures.example:${port}` })
    expect(Object.keys(host.fetches[0]?.headers ?? {})).not.toContain('authorization')
  })

  test('is checked again after each redirect', async () => {
    const files = { '/1.jpg': answerRedirect('/2.jpg'), '/2.jpg': jpeg }
    const { host, lookups, port, options } = await openHost(files, ['127.0.0.1'], ['10.0.0.1'])
    const fetched = fetchPicture(`http://pictures.example:${port}/1.jpg`, options)
    await expect(fetched).rejects.toMatchObject({ code: 'engine_failed', message: /not a public one/ })
    expect(lookups).toEqual(['pictures.example', 'pictures.example'])
    expect(host.fetches).toHaveLength(1)
  })

  test.each([[['127.0.0.1', '10.0.0.1']], [['192.168.0.1']], [[]]])(
    'is not fetched from %j',
    async (addresses) => {
      const { host, port, options } = await openHost({ '/1.jpg': jpeg }, addresses)
      const fetched = fetchPicture(`http://pictures.example:${port}/1.jpg`, options)
      await expect(fetched).rejects.toMatchObject({ code: 'engine_failed' })
      expect(host.fetches).toHaveLength(0)
    },
  )

  test('is not fetched from a name that nobody knows', async () => {
    const { port, options } = await openHost({})
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    const rules = { ...options.rules, resolve }
    const fetched = fetchPicture(`http://pictures.example:${port}/1.jpg`, { ...options, rules })
    await expect(fetched).rejects.toMatchObject({ message: "the picture's host is not known" })
  })

  test('is waited for until the person leaves', async () => {
    const controller = new AbortController()
    const left = () => controller.abort(new Error('left'))
    const { port, options } = await openHost({ '/1.jpg': left }, ['127.0.0.1'])
    const fetched = fetchPicture(`http://pictures.example:${port}/1.jpg`, {
      ...options,
      signal: controller.signal,
    })
    await expect(fetched).rejects.toMatchObject({ code: 'engine_failed' })
  })
})
