/** Paths of the site's pages. */
export const pagePaths = {
  gallery: '/',
  create: '/create-post',
  account: '/account',
  moderation: '/moderation',
} as const
