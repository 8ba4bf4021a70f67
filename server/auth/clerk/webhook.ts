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
 * Hears from Clerk that an account was deleted, and forgets the user with their posts; or that it was banned, which
 * ends its sessions there and its API keys here, or is open again. Success is answered when that is done and not before, as Clerk
 * tells again what was not. What else it tells is of no interest.
 *
 * @throws AppError `bad_input` for what Clerk did not sign, `not_found` at any other address
 */
export function createWebhook({ webhookSecret, log, forget, closeAccount, reopenAccount }: WebhookServices) {
  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/api/auth/webhook') {
      throw new AppError('not_found')
    }
    const told = await readEvent(request, webhookSecret)
    const deleted = deletedUser.safeParse(told)
    const updated = updatedUser.safeParse(told)
    if (deleted.success) {
      const { id } = deleted.data.data
      await forget(id, { posts: 'remove' })
      log.info({ userId: id }, 'a user deleted their account at Clerk and is forgotten')
    } else if (updated.success && updated.data.data.banned) {
      const { id } = updated.data.data
      await closeAccount(id)
      log.info({ userId: id }, 'a user is banned at Clerk, and has no tokens any more')
    } else if (updated.success) {
      await reopenAccount(updated.data.data.id)
    } else {
      log.debug({ type: told.type }, 'Clerk told something that is of no interest')
    }
    return new Response(null, { status: 204 })
  }
}

async function readEvent(request: Request, signingSecret: string) {
  try {
    return event.parse(await verifyWebhook(request, { signingSecret }))
  } catch (cause) {
    throw new AppError('bad_input', 'This is not a message that Clerk signed.', { cause })
  }
}
