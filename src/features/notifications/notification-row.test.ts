import { expect, test } from 'vitest'
import { notificationPath, type Notification } from '../../../shared/notifications.ts'
import { loadI18n } from '../../i18n/messages.ts'
import { describeNotification } from './notification-row.tsx'

const liked: Notification = {
  id: 'n1',
  kind: 'like',
  count: 1,
  postId: 'p1',
  collectionId: null,
  actorNames: ['Asha', 'Ravi'],
  text: 'Boat',
  image: null,
  createdAt: '2026-11-26T09:00:00.000Z',
  readAt: null,
}

async function sentence(change: Partial<Notification>, language = 'en'): Promise<string> {
  const i18n = await loadI18n(language)
  return i18n._(describeNotification({ ...liked, ...change }, i18n))
}

test.each([
  [{}, 'Asha liked Boat'],
  [{ count: 2 }, 'Asha and 1 other liked Boat'],
  [{ count: 4, text: '' }, 'Asha and 3 others liked your image'],
  [{ kind: 'remix', count: 2, actorNames: ['Asha'] }, 'Asha remixed Boat 2 times'],
  [{ kind: 'remix', count: 2 }, 'Asha and others remixed Boat 2 times'],
  [{ kind: 'collection', count: 3, actorNames: ['Asha'] }, 'Asha added 3 images to Boat'],
  [{ kind: 'generation', count: 1 }, 'Boat is ready'],
  [{ kind: 'appeal', text: '' }, 'An author appeals'],
] as const)('describes %j', async (change, expected) => {
  expect(await sentence(change)).toBe(expected)
})

test('uses the six forms of Arabic, and the two of Hindi and Spanish', async () => {
  const counts = [1, 2, 3, 5, 12, 101]
  const inArabic = await Promise.all(counts.map((count) => sentence({ count }, 'ar')))
  expect(inArabic.map((text) => text.replace('نالت Boat إعجاب Asha', '').trim())).toEqual([
    '',
    'وشخص آخر',
    'وشخصين آخرين',
    'و4 أشخاص آخرين',
    'و11 شخصًا آخر',
    'و100 شخص آخر',
  ])
  expect(await sentence({ count: 2 }, 'hi')).toBe('Asha और 1 अन्य ने Boat को लाइक किया')
  expect(await sentence({ count: 3 }, 'es')).toBe('A Asha y 2 personas más les gusta Boat')
})

test('links to the collection, the post, the reports or the own images', () => {
  expect(notificationPath({ ...liked, collectionId: 'c1' })).toBe('/collections/c1')
  expect(notificationPath(liked)).toBe('/posts/p1')
  expect(notificationPath({ ...liked, kind: 'appeal' })).toBe('/moderation')
  expect(notificationPath({ ...liked, kind: 'generation', postId: null })).toBe('/your-images')
})
