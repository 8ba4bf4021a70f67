import { expect, test } from 'vitest'
import { archiveFiles, type AccountData, type ArchiveProgress } from './data-section.tsx'

const createdAt = '2026-11-20T12:00:00.000Z'
const data = {
  images: [
    { id: 'i2', photo: '/uploads/two/original.jpg', createdAt },
    { id: 'i1', photo: null, createdAt },
  ],
  posts: [
    { id: 'p2', photo: '/uploads/brought/original.jpg', createdAt },
    { id: 'p1', photo: '/uploads/two/original.jpg', createdAt },
  ],
} as unknown as AccountData

test('an archive contains each image once, and its data.json lists those that could not be fetched', async () => {
  const progress: ArchiveProgress[] = []
  const files: { name: string; input: Blob | string }[] = []
  const fetchPhoto = async (photo: string) => (photo.includes('brought') ? null : new Blob([photo]))
  for await (const file of archiveFiles(data, fetchPhoto, (next) => progress.push(next))) files.push(file)
  expect(files.map(({ name }) => name)).toEqual(['images/i2.jpg', 'data.json'])
  expect(JSON.parse(files.at(-1)?.input as string)).toMatchObject({
    files: [{ file: 'images/i2.jpg', photo: '/uploads/two/original.jpg' }],
    missingFiles: ['/uploads/brought/original.jpg'],
  })
  expect(progress.at(0)).toEqual({ done: 0, total: 2, missing: 0 })
  expect(progress.at(-1)).toEqual({ done: 2, total: 2, missing: 1 })
})
