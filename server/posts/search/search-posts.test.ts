import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { foldTextsAgain } from '../../db/migrations.ts'
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
  arabic: ['ليلى', 'قَمَرٌ فوق البـحر'],
  japanese: ['ｻｸﾗ', '桜　ＬＯＴＵＳ'],
  emoji: ['🦚 Mayura', 'dancing 👩‍👩‍👧 in the rain'],
  signs: ['100% O"Hara_x', "a\\b 'quoted' <b>bold</b> *star* [x-z]"],
  composed: ['Zoë', 'cre\u0300me bru\u0302le\u0301e'],
} as const

beforeAll(async () => {
  const asha = await server().signUp()
  const { id: imageId } = await asha.generate('One image for all')
  for (const [name, prompt] of Object.values(posts))
    await asha.trpc.posts.create.mutate({ name, prompt, imageId })
  const { db } = server().services
  const search_text = sql<string>`name || ${'\u001f'} || prompt`
  await db.updateTable('posts').set({ search_text }).where('name', 'in', ['ليلى', 'ｻｸﾗ']).execute()
  await foldTextsAgain(db)
})

test.each<[string, ...(keyof typeof posts)[]]>([
  ['lotus', 'japanese', 'lotus'],
  ['  LOTUS　', 'japanese', 'lotus'],
  ['रंगोल', 'hindi'],
  ['οδος', 'greek'],
  ['Θάλασσας'],
  ['θαλασσας', 'greek'],
  ['straße', 'german'],
  ['İSTANBUL', 'turkish'],
  ['月下', 'chinese'],
  ['قمر فوق البحر', 'arabic'],
  ['ـ قُمَر', 'arabic'],
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
  ['ـ'],
])('a search for %j finds %s', async (search, ...found) => {
  const answer = await server().client().posts.list.query({ search })
  expect(answer.posts.map(({ name }) => name)).toEqual(found.map((key) => posts[key][0]))
})
