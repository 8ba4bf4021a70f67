import type { UserServices } from '../access/user-access.ts'
import type { PinUrl } from '../network/pin-url.ts'
import type { PushKeys } from './push-keys.ts'

/** Services that the procedures of this module take. Not in the router's file, whose types the client package contains. */
export interface NotificationServices extends UserServices {
  readonly sendsMail: boolean
  readonly pinUrl: PinUrl
  readonly pushKeys: PushKeys
}
