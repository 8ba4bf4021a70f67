import type { NotificationData } from '../../shared/service-worker.ts'
import type { Api } from '../api/trpc.ts'
import { notifiedUserKey, readStored, store } from './apis.ts'

/** Key in `localStorage`: the user has answered the browser's question, perhaps by dismissing it. */
const answeredKey = 'notificationsAnswered'

/**
 * Whether this device notifies its user. `unsupported` without HTTPS, too; `denied` by the settings of the browser.
 */
export type DeviceState = 'unsupported' | 'denied' | 'off' | 'on'

/** The calls that tell the server where to send pushes. */
type PushCalls = Pick<Api['client']['notifications'], 'delivery' | 'subscribePush'>

export function deviceState(userId: string): DeviceState {
  if (!('Notification' in window) || !window.isSecureContext) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const isAllowed = Notification.permission === 'granted'
  return isAllowed && readStored('localStorage', notifiedUserKey) === userId ? 'on' : 'off'
}

/** Checks whether notifications can be offered to a user who has not been asked for them. */
export function canOfferNotifications(userId: string): boolean {
  return deviceState(userId) === 'off' && readStored('localStorage', answeredKey) === null
}

/**
 * Lets the browser ask the user to allow notifications, and subscribes this device to pushes where browser and site have them.
 * Without pushes, also after an error, open pages notify.
 */
export async function notifyDevice(userId: string, calls: PushCalls): Promise<void> {
  const permission = await Notification.requestPermission()
  store('localStorage', answeredKey, 'true')
  if (permission !== 'granted') return
  store('localStorage', notifiedUserKey, userId)
  await subscribe(calls)
}

/**
 * Ends notifications on this device. Never rejects: signing out goes on.
 *
 * @param unsubscribe tells the server; null if the session of the notified user has ended
 */
export async function forgetDevice(
  unsubscribe: ((endpoint: string) => Promise<unknown>) | null,
): Promise<void> {
  store('localStorage', notifiedUserKey, null)
  try {
    const subscription = await (await pushManager())?.getSubscription()
    if (!subscription) return
    // The browser's own end suffices: the push service then rejects pushes, and the server removes the endpoint.
    const ends = await Promise.allSettled([subscription.unsubscribe(), unsubscribe?.(subscription.endpoint)])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  } catch (error) {
    console.info('Still subscribed to pushes.', error)
  }
}

async function subscribe({ delivery, subscribePush }: PushCalls): Promise<void> {
  const manager = await pushManager()
  if (!manager) return
  // A former one may be another user's, or for another key.
  await (await manager.getSubscription())?.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: (await delivery.query()).pushKey }
  const { endpoint, keys } = (await manager.subscribe(options)).toJSON()
  const [p256dh, auth] = [keys?.['p256dh'], keys?.['auth']]
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new Error('The browser returned no keys.')
  await subscribePush.mutate({ endpoint, keys: { p256dh, auth } })
}

/** Returns what subscribes to pushes; undefined without the service worker, and where the browser has none. */
async function pushManager(): Promise<PushManager | undefined> {
  // Missing without HTTPS.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined
  return (await container?.getRegistration())?.pushManager
}

/** Shows a notification of the system if this device notifies its user, who does not see this tab. */
export async function notifyWhenHidden(title: string, body: string): Promise<void> {
  const userId = readStored('localStorage', notifiedUserKey)
  if (!document.hidden || userId === null || deviceState(userId) !== 'on') return
  const data: NotificationData = { url: location.href }
  // The latest one replaces the others, also one that was pushed.
  const options = { body, data, icon: '/icon-192.png', tag: 'generation' }
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    // Its worker handles the click. Android has no other notifications.
    if (registration?.active) return await registration.showNotification(title, options)
    const notification = new Notification(title, options)
    notification.addEventListener('click', () => {
      notification.close()
      window.focus()
    })
  } catch (error) {
    console.warn('The notification could not be shown.', error)
  }
}
