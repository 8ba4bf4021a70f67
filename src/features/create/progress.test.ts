import { expect, test } from 'vitest'
import { advance, startProgress, turnSentence } from './progress.ts'
import type { Progress, ProgressNews } from './progress.ts'

const pressedAt = Date.parse('2026-11-20T12:00:00.000Z')
/** A browser whose clock is an hour ahead of the server's. */
const ahead = 3_600_000

function accepted(createdAt: string): ProgressNews {
  return { type: 'accepted', imageId: 'i1', prompt: 'A diya', createdAt, usualSeconds: 20 }
}

function after(start: Progress, ...news: readonly (readonly [ProgressNews, now: number])[]): Progress {
  return news.reduce((progress, [one, now]) => advance(progress, one, now), start)
}

test('the clock of a press is this browser’s, whatever the server’s says', () => {
  const now = pressedAt + ahead
  const progress = after(
    startProgress('A diya', null, now),
    [accepted('2026-11-20T12:00:00.200Z'), now + 200],
    [{ type: 'started', startedAt: '2026-11-20T12:00:05.200Z' }, now + 5_300],
  )
  expect(progress).toMatchObject({ imageId: 'i1', phase: 'making', since: now + 5_200, usualSeconds: 20 })
})

test('a joined image has been made since the server says so, and never since the future', () => {
  const joined = startProgress('', 'i1', pressedAt + 30_000)
  const news = { type: 'started', startedAt: '2026-11-20T12:00:10.000Z' } as const
  expect(
    after(joined, [accepted('2026-11-20T12:00:00.000Z'), pressedAt + 30_000], [news, pressedAt + 30_000]),
  ).toMatchObject({ prompt: 'A diya', since: pressedAt + 10_000 })
  expect(after(joined, [news, pressedAt])).toMatchObject({ since: pressedAt })
})

test('joining again keeps the clock and the image so far, and mends the connection', () => {
  const made = after(
    startProgress('A diya', null, pressedAt),
    [accepted('2026-11-20T12:00:00.000Z'), pressedAt],
    [{ type: 'started', startedAt: '2026-11-20T12:00:01.000Z' }, pressedAt + 1_000],
    [{ type: 'partial', photo: 'data:image/jpeg;base64,' }, pressedAt + 2_000],
    [{ type: 'broken' }, pressedAt + 3_000],
  )
  expect(made.isBroken).toBe(true)
  const again = advance(made, accepted('2026-11-20T12:00:00.000Z'), pressedAt + 9_000)
  expect(again).toEqual({ ...made, isBroken: false })
})

test.each([
  ['queued', { type: 'queued', position: 2 }, '2 images before yours.'],
  ['queued, next', { type: 'queued', position: 0 }, 'Your image is next.'],
  ['started', { type: 'started', startedAt: '2026-11-20T12:00:01.000Z' }, 'Your image is being made.'],
  ['broken', { type: 'broken' }, 'The connection was lost and is being restored.'],
  ['stopping', { type: 'stopping' }, 'The server is restarting.'],
  ['partial', { type: 'partial', photo: 'data:,' }, null],
] as const)('%s is said once: %o', (_, news, sentence) => {
  const before = startProgress('A diya', 'i1', pressedAt)
  const progress = advance(before, news, pressedAt)
  expect(turnSentence(before, progress)).toBe(sentence)
  expect(turnSentence(progress, advance(progress, news, pressedAt))).toBe(null)
})
