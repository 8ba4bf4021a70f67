import { expect, test } from 'vitest'
import { clerkViewer } from './clerk-part.tsx'

const unnamed = { id: 'user_1', firstName: null, fullName: null, username: null, imageUrl: '' }

test.each([
  [{ firstName: 'Asha', fullName: 'Asha Rao', username: 'asha9' }, 'Asha'],
  [{ firstName: ' ', fullName: 'Rao Asha', username: 'asha9' }, 'Rao'],
  [{ fullName: 'हेमंत कुमार' }, 'हेमंत'],
  [{ fullName: '', username: 'asha9' }, 'asha9'],
  [{}, 'User'],
])('names the user %o %s', (known, firstName) => {
  expect(clerkViewer({ ...unnamed, ...known })).toEqual({ id: 'user_1', firstName, imageUrl: null })
})

test('uses the avatar of Clerk', () => {
  const imageUrl = 'https://img.clerk.com/asha'
  expect(clerkViewer({ ...unnamed, imageUrl }).imageUrl).toBe(imageUrl)
})
