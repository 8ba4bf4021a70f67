/** Program that uses only the package rangoli-client, to be compiled in a new project. */
export const exampleProgram = `
import {
  createRangoliClient,
  generateImage,
  GenerationError,
  isRangoliError,
  watchImages,
  type GenerationEvent,
  type ImageState,
  type Post,
} from 'rangoli-client'

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

const generation = generateImage(rangoli, { prompt: 'A kite', count: 2 }, { signal: AbortSignal.timeout(60_000) })
const seen: GenerationEvent['type'][] = []
for await (const event of generation) {
  seen.push(event.type)
  if (event.type === 'finished') event.image.url satisfies string
}
const { image, images: kites, failures } = await generation
report({
  kites: kites.length,
  type: (await fetch(image.url)).headers.get('content-type'),
  finished: seen.filter((type) => type === 'finished').length,
  failures: failures.map((failure) => (failure satisfies GenerationError).reason),
})

try {
  await rangoli.posts.delete.mutate({ id: 'nowhere' })
} catch (error) {
  if (!isRangoliError(error)) throw error
  const { reason, httpStatus } = error.data
  // @ts-expect-error: not a reason
  reason === 'no_reason'
  report({ reason, httpStatus: httpStatus satisfies number, message: error.message satisfies string })
}

async function neverCalled() {
  // @ts-expect-error: the prompt is missing
  await generateImage(rangoli, { count: 2 })
  // @ts-expect-error: unknown option
  await generateImage(rangoli, { prompt: 'A kite' }, { timeout: 5 })
  // @ts-expect-error: a URL is a string, not any
  image.url satisfies number
  // @ts-expect-error: previews are not images
  for await (const event of generation) if (event.type === 'preview') event.image

  // @ts-expect-error: not a state
  images[0]?.state === 'painted'

  // @ts-expect-error: unknown procedure
  await rangoli.posts.paint.mutate()
  // @ts-expect-error: a prompt is a string
  await rangoli.images.generate.mutate({ prompt: 5 })
  // @ts-expect-error: the prompt is missing
  await rangoli.images.generate.mutate({})
  // @ts-expect-error: not a reason
  await rangoli.posts.report.mutate({ id: 'x', reason: 'dull' })
  // @ts-expect-error: a name is a string, not any
  posts[0]?.name satisfies number
  // @ts-expect-error: the client is not any
  rangoli satisfies { nothing: string }
  // @ts-expect-error: a query has no mutate
  await rangoli.images.quota.mutate()
}
void neverCalled
`
