import type { FailureAnswer, ListAnswer, PictureAnswer, RestPost, ShareAnswer } from '../answers.ts'

/** What the examples of the description answer; `origin` is the site's own. */

const marigold = (origin: string): RestPost => ({
  _id: 'kT3vX9qLm2Zc',
  name: 'Asha',
  prompt: 'A marigold',
  photo: `${origin}/uploads/8sJ2mVq0Zr7LwXy4/original.jpg`,
})

export const post = (origin: string): ShareAnswer => ({ success: true, data: marigold(origin) })

export const posts = (origin: string): ListAnswer => ({ success: true, data: [marigold(origin)] })

/** The beginning of a JPEG, in base64. */
export const picture = (): PictureAnswer => ({ success: true, photo: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD' })

/** A failure in so many words. */
export const failed = (error: string) => (): FailureAnswer => ({ success: false, error })

export const pleaseSignIn = failed('Please sign in first.')
