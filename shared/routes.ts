/** Paths of the site's pages. A part after a colon is a parameter, which a question mark makes optional. */
export const pagePaths = {
  gallery: '/',
  create: '/create-post',
  account: '/account',
  moderation: '/moderation',
  admin: '/admin/:section?',
  post: '/posts/:id',
  author: '/authors/:authorId',
  yourImages: '/your-images',
  notifications: '/notifications',
  collections: '/collections',
  collection: '/collections/:id',
  joinCollection: '/collections/join/:token',
  wall: '/collections/:id/wall',
  about: '/about',
  verify: '/verify',
  rules: '/rules',
  reference: '/api/v1/docs',
  invitation: '/invitation/:token',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  setup: '/setup',
  consent: '/oauth/authorize',
} as const

/** Returns a function that puts the parameter of a page into its path. */
const pathTo = (pagePath: string) => (parameter: string) => pagePath.replace(/:\w+/, () => parameter)

export const postPath = pathTo(pagePaths.post)
export const authorPath = pathTo(pagePaths.author)
export const collectionPath = pathTo(pagePaths.collection)
export const wallPath = pathTo(pagePaths.wall)
/** Path of the page on which the token of an invitation is used. */
export const invitationPath = pathTo(pagePaths.invitation)
/** Path of the page on which the token of a collection's invitation is used. */
export const joinPath = pathTo(pagePaths.joinCollection)

/** Returns the path of the form for images with a prompt in it. */
export function createPath(prompt: string): string {
  return `${pagePaths.create}?prompt=${encodeURIComponent(prompt)}`
}

/** Returns the path of the drawing of a prompt by the embedded engine. */
export function previewPath(prompt: string): string {
  return `/api/preview?prompt=${encodeURIComponent(prompt)}`
}

/** Returns the path of a user's avatar, which is drawn from the id. */
export function avatarPath(userId: string): string {
  return `/api/avatars/${userId}.svg`
}

export function collectionFeedPath(id: string): string {
  return `/feed.xml?collection=${encodeURIComponent(id)}`
}

/** Returns the path of a section of the operator's page, '' for the first one. */
export function adminPath(section = ''): string {
  return section === '' ? '/admin' : `/admin/${section}`
}

/**
 * Matches a path, with or without a trailing slash, with the path of a page.
 *
 * @returns the parameter, '' for a page without one; null if it is the path of another page
 */
export function matchPath(pagePath: string, path: string): string | null {
  const pattern = pagePath
    .replace(/\/$/, '')
    .replace(/\/:\w+\?/, '(?:/([^/]+))?')
    .replace(/:\w+/, '([^/]+)')
  const match = new RegExp(`^${pattern}/?$`).exec(path)
  return match && (match[1] ?? '')
}
