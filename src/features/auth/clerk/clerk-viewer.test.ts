import { expect, test } from 'vitest'
import { clerkViewer } from './clerk-viewer.ts'

const nobody = { id: 'user_1', firstName: null, fullName: null, username: null, imageUrl: '' }

test.each([
  [{ firstName: 'Asha', fullName: 'Asha Rao', username: 'asha9' }, 'Asha'],
  [{ firstName: ' ', fullName: 'Rao Asha', username: 'asha9' }, 'Rao'],
  [{ fullName: 'हेमंत कुमार' }, 'हेमंत'],
  [{ fullName: '', username: 'asha9' }, 'asha9'],
  [{}, 'User'],
])('%o is shown as %s', (known, firstName) => {
  expect(clerkViewer({ ...nobody, ...known })).toEqual({ id: 'user_1', firstName, imageUrl: null })
})

test('the image is Clerk’s', () => {
  const imageUrl = 'https://img.clerk.com/asha'
  expect(clerkViewer({ ...nobody, imageUrl }).imageUrl).toBe(imageUrl)
})
