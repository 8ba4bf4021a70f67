import type { Post, PostPage } from '../../../shared/posts.ts'

/** Number of posts that a wall keeps. A larger collection is shown part by part. */
export const deckSize = 100

/** The posts that a wall shows in turn: one part of its collection, whatever the size of that. */
export interface Deck {
  readonly posts: readonly Post[]
  /** Index of the post that is shown. */
  readonly at: number
  /** Start of this part, and of the next one; null for the start of the collection. */
  readonly cursor: string | null
  readonly next: string | null
  /** The next part, once it has loaded. */
  readonly following: readonly Post[]
  /** Cursor after the next part. */
  readonly afterFollowing: string | null
  /** Ids of the newest posts, as far as they were known at the last look. */
  readonly newest: ReadonlySet<string>
}

/** Begins with the first part of a collection. Sensitive images are not for everyone who passes a wall. */
export function openDeck(page: PostPage): Deck {
  return {
    posts: visible(page),
    at: 0,
    cursor: null,
    next: page.nextCursor,
    following: [],
    afterFollowing: null,
    newest: idsOf(page.posts),
  }
}

/** The post that is shown; null without any. */
export function shownIn(deck: Deck): Post | null {
  return deck.posts[deck.at] ?? null
}

/** The post that is shown next: after the last one, that of the next part, or the first one again. */
export function upcomingIn({ posts, at, following }: Deck): Post | null {
  return posts[at + 1] ?? following[0] ?? posts[0] ?? null
}

/** Reports whether the next part is to be loaded. The whole of a small collection is refreshed instead. */
export function needsFollowing({ posts, at, cursor, next, following }: Deck): boolean {
  const isWhole = cursor === null && next === null
  return !isWhole && following.length === 0 && at >= posts.length - 3
}

/** Adds the next part, or leaves it out if it has nothing to show. */
export function withFollowing(deck: Deck, page: PostPage): Deck {
  const following = visible(page)
  if (following.length > 0) return { ...deck, following, afterFollowing: page.nextCursor }
  // Without a first part, this one is the first, so that the search ends after the last one.
  return { ...deck, cursor: deck.next === null ? null : deck.cursor, next: page.nextCursor }
}

/** Goes to the next post, or to the previous one. */
export function step(deck: Deck, by: 1 | -1): Deck {
  const { posts, at, next, following, afterFollowing } = deck
  const count = Math.max(posts.length, 1)
  if (by === -1 || at + 1 < posts.length || following.length === 0)
    return { ...deck, at: (at + by + count) % count }
  return {
    ...deck,
    posts: following,
    at: 0,
    cursor: next,
    next: afterFollowing,
    following: [],
    afterFollowing: null,
  }
}

/**
 * Adds posts that are new in the collection, to be shown next, and leaves out those that are gone.
 *
 * @param page the first part as it is now
 * @param part the shown part as it is now
 */
export function refresh(deck: Deck, page: PostPage, part: PostPage = page): Deck {
  const shown = shownIn(deck)
  const current = visible(page)
  const known = idsOf(deck.posts)
  const added = current.filter(({ id }) => !deck.newest.has(id) && !known.has(id))
  const isFirst = deck.cursor === null
  const listed = idsOf([...current, ...visible(part)])
  const kept = deck.posts.filter(({ id }) => listed.has(id))
  // The shown one may be gone: then the one before it.
  const before = shown ? deck.posts.slice(0, deck.at + 1).filter((post) => kept.includes(post)).length : 0
  const restored = isFirst ? current.filter(({ id }) => !known.has(id) && deck.newest.has(id)) : []
  const posts = [...kept.slice(0, before), ...added, ...kept.slice(before), ...restored]
  const surplus = Math.max(0, Math.min(posts.length - 2 * deckSize, before - 1))
  return {
    ...deck,
    posts: posts.slice(surplus, surplus + 2 * deckSize),
    at: Math.max(0, before - 1 - surplus),
    next: isFirst ? page.nextCursor : deck.next,
    newest: idsOf(page.posts),
  }
}

/** Leaves out a post whose image could not be loaded, unless it is shown. */
export function without(deck: Deck, id: string): Deck {
  const index = deck.posts.findIndex((post) => post.id === id)
  if (index === deck.at) return deck
  return {
    ...deck,
    posts: deck.posts.filter((post) => post.id !== id),
    at: index !== -1 && index < deck.at ? deck.at - 1 : deck.at,
    following: deck.following.filter((post) => post.id !== id),
  }
}

function visible({ posts }: PostPage): readonly Post[] {
  return posts.filter(({ isSensitive }) => !isSensitive)
}

function idsOf(posts: readonly Post[]): ReadonlySet<string> {
  return new Set(posts.map(({ id }) => id))
}
