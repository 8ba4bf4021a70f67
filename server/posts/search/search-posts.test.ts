import { beforeAll, expect, test } from 'vitest'
import { shareTestServer } from '../../../test/support/test-server.ts'

const server = shareTestServer()

/** Name and prompt of each post in the gallery. */
const posts = {
  lotus: ['Asha Rao', 'A LOTUS at dawn'],
  hindi: ['रवि', 'दीवाली की रात, आँगन में रंगोली'],
  greek: ['Ὀδυσσεύς', 'ΟΔΟΣ ΘΑΛΑΣΣΑΣ'],
  german: ['Straßmann', 'GROSSE STRASSE'],
  turkish: ['Işıl', 'İstanbul’da bir sabah'],
  cyrillic: ['Ольга', 'ЗИМНИЙ лес'],
  chinese: ['李白', '月下獨酌'],
  emoji: ['🦚 Mayura', 'dancing 👩‍👩‍👧 in the rain'],
  signs: ['100% O"Hara_x', "a\\b 'quoted' <b>bold</b> *star* [x-z]"],
  composed: ['Zoë', 'cre\u0300me bru\u0302le\u0301e'],
} as const

beforeAll(async () => {
  const asha = await server().signUp()
  const { id: imageId } = await asha.generate('One image for all')
  for (const [name, prompt] of Object.values(posts))
    await asha.trpc.posts.create.mutate({ name, prompt, imageId })
})

test.each<[string, ...(keyof typeof posts)[]]>([
  ['lotus', 'lotus'],
  ['  lotus  ', 'lotus'],
  ['रंगोल', 'hindi'],
  ['οδος', 'greek'],
  ['Θάλασσας'],
  ['θαλασσας', 'greek'],
  ['ὀδυσσεύσ', 'greek'],
  ['straße', 'german'],
  ['istanbul', 'turkish'],
  ['İSTANBUL', 'turkish'],
  ['月下', 'chinese'],
  ['🦚', 'emoji'],
  ['👩‍👩‍👧', 'emoji'],
  ['crème BRÛLÉE', 'composed'],
  ['%', 'signs'],
  ['_', 'signs'],
  ['\\', 'signs'],
  ['[x-z]', 'signs'],
  ["' OR 1=1 --"],
  ['lot*'],
  ['raoa'],
  ['o\u001fa'],
  ['nowhere'],
])('a search for %j finds %s', async (search, ...found) => {
  const answer = await server().client().posts.list.query({ search })
  expect(answer.posts.map(({ name }) => name)).toEqual(found.map((key) => posts[key][0]))
})
