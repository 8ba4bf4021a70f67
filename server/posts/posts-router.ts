import { messages } from '../../shared/errors.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { readStream } from '../formats/form.ts'
import { byId, uploadInput } from '../procedures/inputs.ts'
import {
  authorInput,
  createPostInput,
  listPostsInput,
  reportInput,
  similarPostsInput,
  updatePostInput,
  wordsInput,
} from './inputs.ts'
import { listCollectionPosts } from './list-collection.ts'
import { listPosts } from './list-posts.ts'
import { lockAuthor, readAuthor, readPost } from './post-queries.ts'
import { requireVisibleCollection } from '../access/visible-collection.ts'
import { requireVisiblePost } from '../access/visible-post.ts'
import { inTransaction } from '../db/transaction.ts'
import { mailModerators } from '../mail/notices.ts'
import { createPost } from './create-post.ts'
import { deletePost, updatePost } from './change-post.ts'
import { setLiked } from './post-likes.ts'
import { listSimilarPosts } from './similar-posts.ts'
import { verifyFile } from './verify-file.ts'
import { listWords } from './words/count-words.ts'
import type { PostsServices } from './services.ts'

const { publicProcedure, router, signedInProcedure } = proceduresWith<PostsServices>()

const mayShare = signedInProcedure.meta({ scopes: ['share'] })

export const postsRouter = router({
  /**
   * Lists one page of the public posts, newest or most liked first, or of the posts of a collection that the caller sees, in its
   * order.
   */
  list: publicProcedure.input(listPostsInput).query(async ({ ctx, input, signal }) => {
    ctx.work.add(input.limit)
    const { collectionId, sort } = input
    if (collectionId !== undefined) {
      const { db } = ctx.services
      const viewer = await ctx.viewer()
      if (sort === 'new') return listCollectionPosts(db, viewer, { ...input, collectionId })
      await requireVisibleCollection(db, collectionId, viewer)
    }
    const list = () => listPosts(ctx.services, input, signal)
    return input.search ? ctx.services.searches.run(ctx.clientNetwork(), signal, list) : list()
  }),

  /** Lists public posts that go on from a post: similar ones first. */
  similar: publicProcedure.input(similarPostsInput).query(async ({ ctx, input, signal }) => {
    ctx.work.add(input.limit)
    const { db, postIndex, searches } = ctx.services
    const viewer = await ctx.viewer()
    return searches.run(ctx.clientNetwork(), signal, () =>
      postIndex.runLongQuery(signal, () => listSimilarPosts(db, input, viewer)),
    )
  }),

  /** Lists the frequent words of public prompts, the most frequent first. */
  words: publicProcedure
    .input(wordsInput)
    .query(async ({ ctx, input }) => ({ words: await listWords(ctx.services.db, input.limit) })),

  /**
   * Says whether a JPEG, PNG or WebP, from the form field `file` or the body, shows an image of this site, and what its metadata
   * says. The file is not stored.
   */
  verify: publicProcedure.input(uploadInput).mutation(async ({ ctx, input }) => {
    const viewer = await ctx.viewer()
    const read = async () => (input instanceof Uint8Array ? input : readStream(input))
    return verifyFile(ctx.services, viewer, viewer?.id ?? ctx.clientNetwork(), read)
  }),

  /** Returns the name of an author, and the number of their public posts. */
  author: publicProcedure
    .input(authorInput)
    .query(({ ctx, input }) => readAuthor(ctx.services.db, input.authorId)),

  /** Returns one post, with the recipe of its image. Only the author gets a private post or a hidden prompt, and moderators get hidden posts, too. */
  get: publicProcedure
    .input(byId)
    .query(async ({ ctx, input }) => (await readPost(ctx.services.db, input.id, await ctx.viewer())).post),

  /** Shares one of the caller's images, or a photo as a data URL. */
  create: mayShare.meta({ failure: messages.shareFailed }).input(createPostInput).mutation(createPost),

  /** Changes a post of the caller. Fields that are left out stay as they are. */
  update: mayShare.input(updatePostInput).mutation(updatePost),

  /** Likes a post, once per user. */
  like: mayShare.input(byId).mutation((call) => setLiked(call, true)),

  /** Removes the caller's like of a post. */
  unlike: mayShare.input(byId).mutation((call) => setLiked(call, false)),

  /** Deletes a post of the caller, or any post for an administrator. */
  delete: mayShare.input(byId).mutation(deletePost),

  /** Reports a post to the moderators, without the reporter; `not_found` also for a hidden or private post. */
  report: publicProcedure.input(reportInput).mutation(async ({ ctx, input: { id, reason, comment } }) => {
    const { services } = ctx
    await services.writeLimits.reports.consume(ctx.clientNetwork())
    await inTransaction(services.db, async (transaction) => {
      await lockAuthor(transaction, id)
      await requireVisiblePost(transaction, id, null)
      const report = { post_id: id, reason, comment, created_at: services.now() }
      await transaction.insertInto('reports').values(report).execute()
      await mailModerators(services, transaction)
    })
    services.log.info({ postId: id, reason }, 'a post was reported')
    return { id }
  }),
})
