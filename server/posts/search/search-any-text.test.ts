import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { tries } from '../../../test/fuzz/seed.ts'
import { transports } from '../../../test/support/transports.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'
import { fillGallery } from '../../../test/support/posts.ts'
import { cleanText } from '../../text/clean-text.ts'
import { anyText } from '../../../test/support/texts.ts'
import { fold } from '../../text/search-text.ts'

describe('a search for any text finds the same posts as a scan', () => {
  const server = shareTestServer()
  const posts = fc
    .sample(fc.record({ name: anyText, prompt: anyText }), { ...tries(1), numRuns: 60 })
    .map(({ name, prompt }) => ({ name: cleanText(name), prompt: cleanText(prompt) }))
  beforeAll(() => fillGallery(server(), posts))

  /** Any text, or a part of a post in another case. */
  const term = fc.oneof(
    anyText,
    fc
      .tuple(fc.constantFrom(...posts.flatMap(({ name, prompt }) => [name, prompt])), fc.nat(40), fc.nat(6))
      .map(([text, from, length]) => text.slice(from, from + length + 1)),
  )
  const casing = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => text.toLowerCase(),
  )

  test.each(transports)('through $name', async (transport) => {
    await fc.assert(
      fc.asyncProperty(term, casing, async (text, inCase) => {
        const search = inCase(text)
        const sought = fold(cleanText(search))
        const expected = posts.filter(({ name, prompt }) =>
          [name, prompt].some((part) => fold(part).includes(sought)),
        )
        const answer = await transport.list(server(), { search, limit: 100 })
        expect(answer.error).toBeNull()
        expect(answer.posts.map(({ name, prompt }) => ({ name, prompt }))).toEqual(expected.toReversed())
      }),
      tries(150),
    )
  })

  test.each(transports)('any text as a cursor is rejected as bad input, through $name', async (transport) => {
    await fc.assert(
      fc.asyncProperty(anyText, async (cursor) => {
        const answer = await transport.list(server(), { cursor })
        // REST treats an empty cursor as a missing one.
        if (answer.error === null) expect(cursor).toBe('')
        else
          expect(answer).toMatchObject({
            status: 400,
            error: 'The cursor is not one that this server gave out.',
          })
      }),
      tries(50),
    )
  })
})
