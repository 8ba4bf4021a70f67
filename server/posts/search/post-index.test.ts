import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { dialectOf } from '../../db/dialect-of.ts'
import type { Database } from '../../db/open-database.ts'
import { tries } from '../../../test/fuzz/seed.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'
import type { Services } from '../../trpc/context.ts'
import { cleanText } from '../../text/clean-text.ts'
import { anyText } from '../../../test/support/texts.ts'
import { fold, searchText } from '../../text/search-text.ts'

/** Finds matches by scanning all visible posts, newest first. */
async function scan(db: Database, term: string): Promise<number[]> {
  const position = sql.raw(dialectOf(db) === 'postgres' ? 'strpos' : 'instr')
  const rows = await db
    .selectFrom('posts')
    .select('seq')
    .where('hidden_at', 'is', null)
    .where(sql<boolean>`${position}(search_text, ${term}) > 0`)
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(({ seq }) => seq)
}

async function newest(db: Database): Promise<number> {
  const { seq } = await db
    .selectFrom('posts')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow()
  return seq
}

/** Expects the index to find, count and page the same posts as the scan. */
async function expectAgreement({ db, postIndex }: Services, term: string): Promise<void> {
  const upTo = await newest(db)
  const expected = await scan(db, term)
  expect(await postIndex.findMatches(term, { after: 0, upTo }, 1_000_000)).toEqual(expected)
  expect(await postIndex.countMatches(term, { after: 0, upTo })).toBe(expected.length)
  const middle = expected[Math.floor(expected.length / 2)] ?? 0
  const older = expected.filter((seq) => seq <= middle)
  expect(await postIndex.findMatches(term, { after: 0, upTo: middle }, 3)).toEqual(older.slice(0, 3))
  const newer = expected.slice(0, expected.length - older.length)
  expect(await postIndex.findMatches(term, { after: middle, upTo }, 1_000_000)).toEqual(newer)
  expect(await postIndex.countMatches(term, { after: middle, upTo })).toBe(expected.length - older.length)
}

describe('the index finds the same posts as a scan', () => {
  const server = shareTestServer()
  const posts = fc
    .sample(fc.record({ name: anyText, prompt: anyText }), { ...tries(1), numRuns: 200 })
    .map(({ name, prompt }) => ({ name: cleanText(name), prompt: cleanText(prompt) }))
  beforeAll(async () => {
    await fillGallery(server(), [
      ...posts,
      { name: 'ab\ufffec', prompt: 'a non-character' },
      { name: 'ab\uffffc', prompt: 'another' },
      { name: 'ab\ufffdc', prompt: 'and the replacement character' },
      { name: 'Long', prompt: `${'पानी '.repeat(200)}and ${'"quoted" '.repeat(50)}` },
      { name: '\u{f0001}\u{f0001}\u{f0001}\u{f0001}', prompt: 'the mark of a block' },
      { name: 'Ольга', prompt: "Ольга и зимний лес, 100% a_b \\\\ o'clock, e\u0323\u0301" },
      { name: 'Echo', prompt: `${'h'.repeat(300)}!${'hm'.repeat(200)} hum hum hum` },
      { name: 'Short echo', prompt: `${'h'.repeat(11)} ${'hm'.repeat(5)}` },
      { name: 'Almost', prompt: `${'पानी '.repeat(200)}or ${'"quoted" '.repeat(50)}` },
    ])
  })

  const texts = posts.flatMap(({ name, prompt }) => [name, prompt].map(fold)).filter((text) => text !== '')
  const piece = fc
    .tuple(fc.constantFrom(...texts), fc.nat(60), fc.integer({ min: 1, max: 40 }))
    .map(([text, from, length]) =>
      Array.from(text)
        .slice(from, from + length)
        .join(''),
    )

  test('for any piece of a post, and any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(piece, anyText.map(cleanText).map(fold)), async (term) => {
        fc.pre(term !== '')
        await expectAgreement(server().services, term)
      }),
      tries(400),
    )
  })

  test.each([
    ['one character', 'प'],
    ['an emoji beyond the first plane', '🪔'],
    ['a backslash', '\\\\'],
    ['a combining mark', '\u0301'],
    ['the end of a name and the start of a prompt', 'o\u001fh'],
    ['an operator of FTS5', 'or '],
    ['a prefix query of FTS5', 'ab*'],
    ['a non-character', 'ab\ufffe'],
    ['the replacement character', 'ab\ufffd'],
    ['twelve characters', '"quoted" "qu'],
    ['thirteen', '"quoted" "quo'],
    ['a term of which only the start, middle and end are in a post', 'पानी xxxx पानी xx पानी'],
    ['a term of 500 characters', `${'पानी '.repeat(97)}and "quoted" `],
    ['five times the same', 'hhhhh'],
    ['as often the same as in a post', 'h'.repeat(300)],
    ['two in turn', 'hmhmhmhmhm'],
    ['two in turn, in another order than in any post', 'mhmhmhmh!'],
    ['trigrams of a post that stand apart in it', 'hhhmhmhm'],
    ['the mark of a block', '\u{f0000}\u{f0000}\u{f0000}'],
  ])('for %s', async (_, term) => {
    await expectAgreement(server().services, term)
  })
})

test('finds and counts matches in thousands of posts', async () => {
  const server = await startTestServer()
  await fillGallery(server, numberedPosts(9_000, 'Lotus'))
  for (const term of ['lotus', 'lo', 's', '99', '1999', 'asha\u001flotus 12', 'nowhere', 'z'])
    await expectAgreement(server.services, term)
})

test('the index follows every change of posts', async () => {
  const server = await startTestServer()
  const terms = ['o', 'lo', 'lotus', 'ki', 'kite', 'a lotus in the pond']

  async function expectAll(shown: number): Promise<void> {
    for (const term of terms) await expectAgreement(server.services, term)
    expect(await server.client().posts.list.query({ limit: 1 })).toMatchObject({ total: shown })
  }

  const { db } = server.services
  const ids = await fillGallery(server, [
    { name: 'Asha', prompt: 'A lotus in the pond' },
    { name: 'Asha', prompt: 'A kite' },
    { name: 'Asha', prompt: 'A lotus and a kite' },
  ])
  const [first = '', second = '', third = ''] = ids
  const update = (id: string, values: { hidden_at?: number | null; search_text?: string; seq?: number }) =>
    db.updateTable('posts').set(values).where('id', '=', id).execute()
  await expectAll(3)
  await update(first, { hidden_at: 1 })
  await expectAll(2)
  await update(first, { hidden_at: 2 })
  await expectAll(2)
  await update(first, { search_text: searchText('Asha', 'A lotus, hidden') })
  await expectAll(2)
  await update(first, { hidden_at: null })
  await expectAll(3)
  await update(second, { search_text: searchText('Asha', 'A lotus in the pond') })
  await expectAll(3)
  await update(third, { seq: 100 })
  await expectAll(3)
  await update(third, { hidden_at: 1, search_text: searchText('Asha', 'Nothing') })
  await expectAll(2)
  await db.deleteFrom('posts').where('id', '=', third).execute()
  await expectAll(2)
  await db.deleteFrom('posts').where('id', 'in', [first, second]).execute()
  await expectAll(0)
})

test('a cached count is right after every change', async () => {
  const server = await startTestServer()
  const { db } = server.services
  const { list } = server.client().posts
  const total = async (search: string) => (await list.query({ search, limit: 1 })).total
  const shown = [...numberedPosts(5, 'Lotus'), ...numberedPosts(3, 'Kite')]
  const [first = '', second = ''] = await fillGallery(server, shown)
  expect(await total('lotus')).toBe(5)
  expect(await total('i')).toBe(3)
  await fillGallery(server, numberedPosts(4, 'Lotus'))
  expect(await total('lotus')).toBe(9)
  await db.deleteFrom('posts').where('id', '=', first).execute()
  expect(await total('lotus')).toBe(8)
  await db.updateTable('posts').set({ hidden_at: 1 }).where('id', '=', second).execute()
  expect(await total('lotus')).toBe(7)
  expect(await total('i')).toBe(3)
})
