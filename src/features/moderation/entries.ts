import type { RouterOutputs } from '../../api/trpc.ts'

type ReportedPost = RouterOutputs['moderation']['listReported']['entries'][number]
type ReportedCollection = RouterOutputs['moderation']['listReportedCollections']['entries'][number]

export type Entry = ReturnType<typeof ofPost> | ReturnType<typeof ofCollection>

/** Merges posts and collections: appeals first, then what was reported, the latest first, then the rest in its order. */
export function toEntries(
  posts: readonly ReportedPost[],
  collections: readonly ReportedCollection[],
): readonly Entry[] {
  return [...posts.map(ofPost), ...collections.map(ofCollection)].sort(
    (a, b) =>
      Number(b.appeal !== null) - Number(a.appeal !== null) || reportedAt(b).localeCompare(reportedAt(a)),
  )
}

function ofPost(entry: ReportedPost) {
  return { ...entry, id: entry.post.id, image: entry.post, collection: null }
}

/** A collection is shown by its cover, if it has posts. */
function ofCollection(entry: ReportedCollection) {
  const { id, cover: image, isHidden } = entry.collection
  return { ...entry, id, image, post: null, isHidden, isWithdrawn: false, postsOfImage: 0, appeal: null }
}

function reportedAt({ reports }: Entry): string {
  return reports[0]?.createdAt ?? ''
}

/** What waits for a decision, if anything does. */
export function kindOf({ appeal, isHidden }: Entry): 'appeal' | 'hidden' | 'report' {
  return appeal ? 'appeal' : isHidden ? 'hidden' : 'report'
}
