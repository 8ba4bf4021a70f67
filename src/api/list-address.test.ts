import { expect, test } from 'vitest'
import type { ListAddress } from '../../shared/page-data.ts'
import { galleryAddress, listAddressIn, listInput, listPath } from './list-address.ts'

function read(path: string): ListAddress {
  const { pathname, search } = new URL(path, 'http://localhost')
  return listAddressIn(pathname, search)
}

test.each(['lotus', 'lotus moon', '50%25', '100%', 'a+b&c=d#e?', '"quoted"', 'दीया', '🪔'])(
  'round-trips the search term %j',
  (search) => {
    expect(read(listPath({ ...galleryAddress, search }))).toEqual({ ...galleryAddress, search })
  },
)

test.each([
  ['/', galleryAddress],
  ['/?cursor=cG9zdDo1', { ...galleryAddress, cursor: 'cG9zdDo1' }],
  ['/?sort=top', { ...galleryAddress, order: 'all' }],
  ['/?q=lotus&sort=top&period=week', { ...galleryAddress, search: 'lotus', order: 'week' }],
  ['/?shape=portrait&engine=openai', { ...galleryAddress, shape: 'portrait', engine: 'openai' }],
  ['/collections/c1', { ...galleryAddress, collectionId: 'c1' }],
  ['/authors/asha', { ...galleryAddress, authorId: 'asha' }],
  [
    '/authors/asha?q=lotus&sort=top&period=month',
    { ...galleryAddress, authorId: 'asha', search: 'lotus', order: 'month' },
  ],
] as const)('%s names a list', (path, address) => {
  expect(read(path)).toEqual(address)
  expect(listPath(address)).toBe(path)
})

test.each([
  '/?q=%20%20',
  '/?sort=new&period=week',
  '/?sort=best',
  '/?period=week',
  '/?shape=round',
  '/authors/',
])('%s names the whole gallery, newest first', (path) => {
  expect(read(path)).toEqual(galleryAddress)
})

test('creates the input of posts.list', () => {
  expect(listInput(galleryAddress)).toEqual({})
  const kept = { authorId: 'asha', search: 'lotus', shape: 'square' } as const
  const address = { ...galleryAddress, ...kept, order: 'week', cursor: 'c' } as const
  expect(listInput(address)).toEqual({ ...kept, sort: 'top', period: 'week' })
})
