import { beforeAll, expect, test } from 'vitest'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'

const server = shareTestServer()
let asha: TestUser
let imageId: string
beforeAll(async () => {
  asha = await server().signUp()
  imageId = (await asha.generate('A lotus')).id
})

/** Characters of four code units. */
const [woman, syllable] = ['👩🏽', 'क्षि']
const markup = '</script><img src=x onerror=alert(1)>'
const tower = (marks: number) => `x${'\u0301'.repeat(marks)}`

test.each<[what: string, name: string | undefined, prompt: string, stored?: object]>([
  ['no name', undefined, 'no name', { name: 'User' }],
  ['a blank name', ' \u00a0\t', 'a blank name', { name: 'User' }],
  ['an invisible name', '\u200b\u3164', 'an invisible name', { name: 'User' }],
  ['markup', '<b>Asha</b> & Co', markup],
  ['Hindi', 'आशा राव', 'दीवाली की रात'],
  ['space around', ' Asha ', '\n a lotus \n', { name: 'Asha', prompt: 'a lotus' }],
  ['several lines', 'A', 'one\ntwo', { prompt: 'one two' }],
  ['an override', 'A', 'abc\u202edef', { prompt: 'abcdef' }],
  ['a tower of marks', 'A', tower(15_999), { prompt: tower(8) }],
  ['half an emoji', 'A', 'x\ud83d', { prompt: 'x\ufffd' }],
  ['quotes', `O'Neill`, `'; DROP TABLE posts; --`],
  ['80 and 4,000 women with a skin tone', woman.repeat(80), woman.repeat(4_000)],
  ['4,000 Hindi syllables', 'A', syllable.repeat(4_000)],
])('stores %s as the author wrote it', async (_, name, prompt, stored) => {
  await asha.trpc.posts.create.mutate({ name, prompt, imageId })
  const expected = { name, prompt, ...stored }
  expect((await server().client().posts.list.query({ limit: 1 })).posts).toMatchObject([expected])
  const rest = (await (await server().request('/api/v1/post?limit=1')).json()) as { data: unknown[] }
  expect(rest.data).toMatchObject([expected])
})
