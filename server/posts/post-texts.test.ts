import { beforeAll, describe, expect, test } from 'vitest'
import { forEachTransport } from '../../test/support/transports.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'

const server = shareTestServer({ env: { DAILY_UPLOAD_LIMIT: '1000', DAILY_POST_LIMIT: '1000' } })
let asha: TestUser

beforeAll(async () => {
  asha = await server().signUp()
})

/** A character of four code units. */
const woman = '👩🏽'

describe('posts.list returns names and prompts as their author wrote them', () => {
  test.each(
    forEachTransport([
      { what: 'no name', body: { prompt: 'p' }, name: 'User', prompt: 'p' },
      { what: 'an empty name', body: { name: '', prompt: 'p' }, name: 'User', prompt: 'p' },
      { what: 'a blank name', body: { name: ' \u00a0\t', prompt: 'p' }, name: 'User', prompt: 'p' },
      { what: 'an invisible name', body: { name: '\u200b\u3164', prompt: 'p' }, name: 'User', prompt: 'p' },
      {
        what: 'markup',
        body: { name: '<b>Asha</b> & Co', prompt: '</script><img src=x onerror=alert(1)>' },
        name: '<b>Asha</b> & Co',
        prompt: '</script><img src=x onerror=alert(1)>',
      },
      {
        what: 'Hindi',
        body: { name: 'आशा राव', prompt: 'दीवाली की रात' },
        name: 'आशा राव',
        prompt: 'दीवाली की रात',
      },
      {
        what: 'space around',
        body: { name: ' Asha ', prompt: '\n a lotus \n' },
        name: 'Asha',
        prompt: 'a lotus',
      },
      { what: 'several lines', body: { name: 'A', prompt: 'one\ntwo' }, name: 'A', prompt: 'one two' },
      { what: 'an override', body: { name: 'A', prompt: 'abc\u202edef' }, name: 'A', prompt: 'abcdef' },
      {
        what: 'a tower of 15,999 marks',
        body: { name: 'A', prompt: `x${'\u0301'.repeat(15_999)}` },
        name: 'A',
        prompt: `x${'\u0301'.repeat(8)}`,
      },
      { what: 'half an emoji', body: { name: 'A', prompt: 'x\ud83d' }, name: 'A', prompt: 'x\ufffd' },
      {
        what: 'quotes',
        body: { name: `O'Neill`, prompt: `'; DROP TABLE posts; --` },
        name: `O'Neill`,
        prompt: `'; DROP TABLE posts; --`,
      },
      {
        what: 'a name of 80 women with a skin tone',
        body: { name: woman.repeat(80), prompt: 'p' },
        name: woman.repeat(80),
        prompt: 'p',
      },
      {
        what: 'a prompt of 4,000 women with a skin tone',
        body: { name: 'A', prompt: woman.repeat(4_000) },
        name: 'A',
        prompt: woman.repeat(4_000),
      },
      {
        what: 'a prompt of 4,000 Hindi syllables of four code units',
        body: { name: 'A', prompt: 'क्षि'.repeat(4_000) },
        name: 'A',
        prompt: 'क्षि'.repeat(4_000),
      },
    ]),
  )('$what, through $transport.name', async ({ transport, body, name, prompt }) => {
    const photo = dataUrl(await noisyImage(20, 20).jpeg().toBuffer())
    expect(await transport.share(server(), { ...body, photo }, asha)).toMatchObject({ error: null })
    const [post] = (await server().client().posts.list.query({ limit: 1 })).posts
    expect(post).toMatchObject({ name, prompt, authorId: asha.id })
    const rest = (await (await server().request('/api/v1/post?limit=1')).json()) as { data: unknown[] }
    expect(rest.data).toMatchObject([{ name, prompt }])
  })
})
