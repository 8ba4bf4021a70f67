/** A developer's program, compiled in a fresh project: it sees the package rangoli-client and nothing else of ours. */
export const developersProgram = `
import { createRangoliClient, isRangoliError, watchImages, type ImageState, type Post } from 'rangoli-client'

declare const process: { argv: string[] }
const [, , url = '', token] = process.argv
const rangoli = createRangoliClient({ url, token: () => token ?? null })
const report = (entry: object) => console.log(JSON.stringify(entry))

const events: ImageState[] = []
let shared: Post | undefined
const { images } = await rangoli.images.generate.mutate({ prompt: 'A peacock' })
for await (const event of watchImages(rangoli, images.map(({ id }) => id))) {
  if (event.type !== 'state') continue
  const { id, prompt, state, startedAt, width } = event.image
  events.push(state)
  if (state !== 'succeeded') continue
  report({ startedAt: startedAt satisfies string | null })
  width satisfies number | null
  shared = await rangoli.posts.create.mutate({ name: 'Asha', prompt, imageId: id })
}
const { posts, total, nextCursor } = await rangoli.posts.list.query({ search: 'peacock', limit: 5 })
nextCursor satisfies string | null
const viewer = await rangoli.viewer.query()
report({ events, total: total satisfies number, same: posts[0]?.id === shared?.id, viewer: viewer?.firstName })

try {
  await rangoli.posts.delete.mutate({ id: 'nowhere' })
} catch (error) {
  if (!isRangoliError(error)) throw error
  const { reason, httpStatus } = error.data
  // @ts-expect-error: a reason is one of a list
  reason === 'no_reason'
  report({ reason, httpStatus: httpStatus satisfies number, message: error.message satisfies string })
}

async function neverCalled() {
  // @ts-expect-error: an image has no such state
  images[0]?.state === 'painted'

  // @ts-expect-error: there is no such procedure
  await rangoli.posts.paint.mutate()
  // @ts-expect-error: a prompt is a text
  await rangoli.images.generate.mutate({ prompt: 5 })
  // @ts-expect-error: a prompt is needed
  await rangoli.images.generate.mutate({})
  // @ts-expect-error: a reason is one of a list
  await rangoli.posts.report.mutate({ id: 'x', reason: 'dull' })
  // @ts-expect-error: a name is no number, so nothing here is any
  posts[0]?.name satisfies number
  // @ts-expect-error: nor is the router's type
  rangoli satisfies { nothing: string }
  // @ts-expect-error: this is a query
  await rangoli.images.quota.mutate()
}
void neverCalled
`
