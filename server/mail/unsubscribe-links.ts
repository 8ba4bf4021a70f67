import { notificationKinds } from '../../shared/notifications.ts'
import { isUser, type UserServices } from '../access/user-access.ts'
import { updateNotificationSettings } from '../notifications/notification-settings.ts'
import { Signer } from '../text/signer.ts'

/** Creates and verifies links that end the daily mails of a user without sign-in. @see https://www.rfc-editor.org/rfc/rfc8058 */
export class UnsubscribeLinks {
  readonly #signer: Signer

  constructor(secret: string) {
    this.#signer = new Signer(secret, 'unsubscribe links')
  }

  /** Creates a link, as a path on this site. */
  create(userId: string): string {
    return `/unsubscribe/${Buffer.from(userId).toString('base64url')}.${this.#signer.sign(userId)}`
  }

  /** Returns the user of a link by the last segment of its path; null if the site did not sign it. */
  verify(token: string): string | null {
    const [id = '', signature = ''] = token.split('.')
    const userId = Buffer.from(id, 'base64url').toString()
    return this.#signer.isSigned(userId, signature) ? userId : null
  }
}

/** Ends the daily mails of a user, if they still exist. Mails about decisions and appeals, which are sent at once, stay as they are. */
export async function unsubscribe(services: UserServices, userId: string): Promise<void> {
  if (!(await isUser(services.db, userId))) return
  const kinds = notificationKinds.filter((kind) => kind !== 'decision' && kind !== 'appeal')
  const changes = Object.fromEntries(kinds.map((kind) => [kind, { mail: false }]))
  await updateNotificationSettings(services, { id: userId }, changes)
}
