import type { lazyPages } from './pages.tsx'

/** Paths of the modules of pages that are not in the entry, which the server looks up in the build. Not loaded by browsers. */
export const pageSources = {
  create: 'src/features/create/create-page.tsx',
  account: 'src/features/account/account-page.tsx',
  moderation: 'src/features/moderation/moderation-page.tsx',
  admin: 'src/features/admin/admin-page.tsx',
  post: 'src/features/post/post-page.tsx',
  yourImages: 'src/features/create/your-images/your-images-page.tsx',
  author: 'src/features/gallery/author-page.tsx',
  about: 'src/features/about/about-page.tsx',
  rules: 'src/features/text/text-page.tsx',
  invitation: 'src/features/invitation/invitation-page.tsx',
  resetPassword: 'src/features/mailed-links/mailed-links-pages.tsx',
  verifyEmail: 'src/features/mailed-links/mailed-links-pages.tsx',
  reference: 'src/features/text/text-page.tsx',
  notFound: 'src/ui/not-found-page.tsx',
} satisfies Record<keyof typeof lazyPages, string>
