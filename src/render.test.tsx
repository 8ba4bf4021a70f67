import { expect, test } from 'vitest'
import type { PageData, SiteSettings } from '../shared/page-data.ts'
import type { Post } from '../shared/posts.ts'
import { galleryAddress } from './api/list-address.ts'
import { render } from './render.tsx'

const site: SiteSettings = {
  name: 'Kolam',
  logo: null,
  welcome: null,
  examples: [],
  auth: {
    kind: 'local',
    signUp: 'open',
    hasPasswords: true,
    provider: null,
    passkeyDomain: null,
    hasMail: false,
  },
  contact: null,
  engine: 'rangoli',
  dailyImageLimit: 20,
  hasRules: false,
  languages: [],
  unsharedImageDays: null,
  engines: [],
  kinds: ['rangoli'],
  hasServiceWorker: false,
}

const post: Post = {
  id: 'p1',
  name: 'Asha',
  prompt: '<b>A diya</b> on a river',
  photo: '/uploads/abc/original.jpg',
  credentialsUrl: null,
  isAiMade: false,
  width: 1024,
  height: 1024,
  placeholder: '3OcRJYB4d3h/iIeHeEh3eIhw+j3A',
  source: 'generated',
  engine: 'rangoli',
  engineKind: 'rangoli',
  authorId: 'u1',
  likeCount: 0,
  visibility: 'public',
  isSensitive: false,
  isPromptHidden: false,
  createdAt: '2026-11-20T12:00:00.000Z',
}

const pageData: PageData = {
  language: 'en',
  site,
  view: 'squares',
  gallery: null,
  author: null,
  words: null,
  collections: null,
  collection: null,
  theme: null,
  post: null,
  invitation: null,
  setup: null,
  setupLine: null,
  announcements: [],
  text: null,
}

function gallery(search: string, posts: Post[] = [], total = posts.length): PageData {
  const firstPage = { posts, total, nextCursor: null }
  return { ...pageData, gallery: { ...galleryAddress, search, firstPage } }
}

test('renders the posts of the gallery and escapes their markup', () => {
  const { html, title, status } = render({ path: '/', search: '' }, gallery('', [post], 12_345))
  expect(status).toBe(200)
  expect(title).toBe('Kolam — Text-to-Image AI Generator')
  expect(html).toContain('>Showing 12345 posts<')
  expect(html).toContain('&lt;b&gt;A diya&lt;/b&gt; on a river')
  expect(html).toContain(
    'srcSet="/uploads/abc/320.webp 320w, /uploads/abc/480.webp 480w, /uploads/abc/640.webp 640w"',
  )
  expect(html.match(/<ul/g)).toHaveLength(1)
})

test('renders a search without results and escapes its term', () => {
  const { html, title } = render({ path: '/', search: '?q=lotus%20%3Cb%3E' }, gallery('lotus <b>'))
  expect(title).toBe('Results for lotus <b> — Kolam')
  expect(html).toContain('>Results for <bdi dir="auto">lotus &lt;b&gt;</bdi><')
  expect(html).toContain('value="lotus &lt;b&gt;"')
  expect(html).toContain('No Search Results Found')
})

test.each([
  ['/', 200, gallery('')],
  ['/', 200, pageData],
  ['/create-post', 200, pageData],
  ['/create-post/', 200, pageData],
  ['/nowhere', 404, pageData],
])('%s has status %i, one h1 and no content that inline scripts would insert', (path, expected, data) => {
  const { html, status } = render({ path, search: '' }, data)
  expect(status).toBe(expected)
  expect(html.match(/<h1/g)).toHaveLength(1)
  // Suspense on the server would need inline scripts, which the page's security policy forbids.
  expect(html).not.toMatch(/<script|<!--\$/)
})
