import { readStored, store } from '../../browser/apis.ts'
import type { NotificationData } from '../../../shared/service-worker.ts'

/** Key in `localStorage`: the user has answered the browser's question, perhaps by dismissing it. */
const answeredKey = 'notificationsAnswered'

/** Checks whether the browser can ask the user to allow notifications, and has not done so. */
export function canOfferNotifications(): boolean {
  return (
    'Notification' in window &&
    window.isSecureContext &&
    Notification.permission === 'default' &&
    readStored('localStorage', answeredKey) === null
  )
}

/** Lets the browser ask the user to allow notifications. Resolves to whether they are allowed. */
export async function askForNotifications(): Promise<boolean> {
  const permission = await Notification.requestPermission()
  store('localStorage', answeredKey, 'true')
  return permission === 'granted'
}

/** Shows a notification of the system if the user has allowed that, and does not see this tab. */
export async function notifyWhenHidden(title: string, body: string): Promise<void> {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return
  const data: NotificationData = { url: location.href }
  // The latest one replaces the others.
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
