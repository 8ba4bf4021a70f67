import { verifyWebhook } from '@clerk/backend/webhooks'
import type { Logger } from 'pino'
import { z } from 'zod'
import { AppError } from '../../errors/app-error.ts'
import type { DeleteAccountData } from '../authenticator.ts'

interface WebhookServices {
  readonly webhookSecret: string
  readonly log: Logger
  readonly forget: DeleteAccountData
  readonly closeAccount: (userId: string) => Promise<void>
  readonly reopenAccount: (userId: string) => Promise<void>
}

const event = z.object({ type: z.string(), data: z.looseObject({}) })
const deletedUser = z.object({ type: z.literal('user.deleted'), data: z.object({ id: z.string().min(1) }) })
const updatedUser = z.object({
  type: z.literal('user.updated'),
  data: z.object({ id: z.string().min(1), banned: z.boolean() }),
})

/**
 * Handles Clerk's webhook: deletes the data of a deleted user with their posts, and closes or reopens the account of a
 * banned or unbanned user. Responds after that is done, as Clerk retries failed deliveries. Ignores other events.
 *
 * @see https://clerk.com/docs/guides/development/webhooks/overview
 * @throws AppError `bad_input` for a message that Clerk did not sign, `not_found` at any other path
 */
export function createWebhook({ webhookSecret, log, forget, closeAccount, reopenAccount }: WebhookServices) {
  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/api/auth/webhook') {
      throw new AppError('not_found')
    }
    const message = await readEvent(request, webhookSecret)
    const deleted = deletedUser.safeParse(message)
    const updated = updatedUser.safeParse(message)
    if (deleted.success) {
      const { id } = deleted.data.data
      await forget(id, { posts: 'remove' })
      log.info({ userId: id }, 'deleted the data of a user who deleted their Clerk account')
    } else if (updated.success && updated.data.data.banned) {
      const { id } = updated.data.data
      await closeAccount(id)
      log.info({ userId: id }, 'revoked the API keys of a user banned at Clerk')
    } else if (updated.success) {
      await reopenAccount(updated.data.data.id)
    } else {
      log.debug({ type: message.type }, 'ignored an event of the Clerk webhook')
    }
    return new Response(null, { status: 204 })
  }
}

async function readEvent(request: Request, signingSecret: string) {
  try {
    return event.parse(await verifyWebhook(request, { signingSecret }))
  } catch (cause) {
    throw new AppError('bad_input', 'The message is not signed by Clerk.', { cause })
  }
}
