import { serviceWorkerPath } from '../../shared/service-worker.ts'

/** Registers the service worker, where the browser has them. Failures are logged: the page works without it. */
export async function registerServiceWorker(): Promise<void> {
  try {
    // Missing without HTTPS.
    await (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.register(serviceWorkerPath)
  } catch (error) {
    console.info('The service worker could not be registered.', error)
  }
}
