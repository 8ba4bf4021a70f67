import { expect, test } from 'vitest'
import type { AccountData } from '../../../shared/account.ts'
import { archiveFiles } from './archive.ts'
import type { ArchiveFile, ArchiveProgress } from './archive.ts'

const createdAt = '2026-11-20T12:00:00.000Z'
const data = {
  user: { id: 'asha', name: 'Asha Rao', email: 'asha@example.org', createdAt },
  images: [
    { id: 'i2', photo: '/uploads/two/original.jpg', createdAt },
    { id: 'i1', photo: null, createdAt },
  ],
  posts: [
    { id: 'p2', photo: '/uploads/brought/original.jpg', createdAt },
    { id: 'p1', photo: '/uploads/two/original.jpg', createdAt },
  ],
} as unknown as AccountData

async function filesOf(
  fetchImage: (photo: string) => Promise<Blob>,
  onMissing: (cause: unknown) => void = () => {},
) {
  const progress: ArchiveProgress[] = []
  const services = {
    fetchImage,
    now: () => new Date(createdAt),
    onProgress: (one: ArchiveProgress) => progress.push(one),
  }
  const files: ArchiveFile[] = []
  for await (const file of archiveFiles(services, data, onMissing)) files.push(file)
  const content = await new Response(files.at(-1)?.input).json()
  return { files, progress, content: content as Record<string, unknown> }
}

test('contains each image once, and maps files to images in data.json', async () => {
  const asked: string[] = []
  const { files, progress, content } = await filesOf(async (photo) => {
    asked.push(photo)
    return new Blob([photo])
  })
  expect(files.map(({ name }) => name)).toEqual(['images/i2.jpg', 'images/p2.jpg', 'data.json'])
  expect(asked).toEqual(['/uploads/two/original.jpg', '/uploads/brought/original.jpg'])
  expect(progress).toEqual([0, 1, 2].map((done) => ({ done, total: 2 })))
  expect(content).toEqual({
    ...data,
    files: [
      { file: 'images/i2.jpg', photo: '/uploads/two/original.jpg' },
      { file: 'images/p2.jpg', photo: '/uploads/brought/original.jpg' },
    ],
    missingFiles: [],
  })
})

test('lists an image that can’t be fetched', async () => {
  const causes: unknown[] = []
  const { files, progress, content } = await filesOf(
    async (photo) => {
      if (photo.includes('two')) throw new Error('gone')
      return new Blob([photo])
    },
    (cause) => causes.push(cause),
  )
  expect(files.map(({ name }) => name)).toEqual(['images/p2.jpg', 'data.json'])
  expect(content['missingFiles']).toEqual(['/uploads/two/original.jpg'])
  expect(progress.at(-1)).toEqual({ done: 2, total: 2 })
  expect(causes).toEqual([new Error('gone')])
})

test('is aborted if the callback for missing images throws', async () => {
  const aborted = filesOf(
    () => Promise.reject(new Error('aborted')),
    (cause) => {
      throw cause
    },
  )
  await expect(aborted).rejects.toThrow('aborted')
})
