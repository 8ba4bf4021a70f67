import type { PushMessage } from '../../shared/notifications.ts'
import { pagePaths } from '../../shared/routes.ts'
import {
  offlinePath,
  sharedImage,
  type NotificationData,
  type WorkerBuild,
} from '../../shared/service-worker.ts'

declare const self: ServiceWorkerGlobalScope & { readonly build: WorkerBuild }

/**
 * Caches scripts and style sheets, whose URLs change with their content, and the offline page. Pages and data always come
 * from the network. Keeps an image that the user shares from another app for the form.
 *
 * @see docs/contributing/decisions/0080-service-worker.md
 */

const cacheName = `build-${self.build.id}`

// The files of a build differ per encoding only, which browsers undo.
const byUrl = { ignoreVary: true }

self.addEventListener('install', (event) => {
  // At once: as pages are never cached, each works with any worker.
  event.waitUntil(Promise.all([cacheBuild(), self.skipWaiting()]))
})

self.addEventListener('activate', (event) => {
  // Requests pages without waiting for the worker to start.
  event.waitUntil(self.registration.navigationPreload.enable())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.method === 'POST' && pathname === sharedImage.path) event.respondWith(keepSharedImage(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(loadPage(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(loadAsset(event))
})

self.addEventListener('push', (event) => {
  if (!event.data) return
  const { title, path, tag } = event.data.json() as PushMessage
  const data: NotificationData = { url: new URL(path, self.location.origin).href }
  event.waitUntil(self.registration.showNotification(title, { data, tag, icon: '/icon-192.png' }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(showPage(event.notification.data as NotificationData))
})

async function cacheBuild(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll([offlinePath, ...self.build.files])
}

async function loadPage(event: FetchEvent): Promise<Response> {
  try {
    const preloaded = (await event.preloadResponse) as Response | undefined
    const response = preloaded ?? (await fetch(event.request))
    const language = response.headers.get('Content-Language')
    event.waitUntil(Promise.all([updateOfflinePage(language), deleteUnusedBuilds()]))
    return response
  } catch (error) {
    const offlinePage = await caches.match(offlinePath, { ...byUrl, cacheName })
    if (!offlinePage) throw error
    return offlinePage
  }
}

async function loadAsset({ request }: FetchEvent): Promise<Response> {
  // A damaged cache is like an empty one: pages need their files.
  const cached = await caches.match(request, byUrl).catch(() => undefined)
  return cached ?? fetch(request)
}

async function keepSharedImage(request: Request): Promise<Response> {
  try {
    const file = (await request.formData()).get(sharedImage.field)
    if (file instanceof File) {
      const cache = await caches.open(sharedImage.cache)
      const headers = { 'Content-Type': file.type, Date: new Date().toUTCString() }
      await cache.put(sharedImage.path, new Response(file, { headers }))
    }
  } catch (error) {
    // The disk is full, or another site has posted something else. The form opens without an image.
    console.warn('The shared image could not be kept.', error)
  }
  return Response.redirect(pagePaths.create, 303)
}

/** Replaces the offline page if pages have another language now. */
async function updateOfflinePage(language: string | null): Promise<void> {
  const cache = await caches.open(cacheName)
  const cached = await cache.match(offlinePath, byUrl)
  if (language !== null && language !== cached?.headers.get('Content-Language')) await cache.add(offlinePath)
}

/** Deletes the files of other builds, unless a newer one is being cached, or a page is open that may still load some. */
async function deleteUnusedBuilds(): Promise<void> {
  if (self.registration.installing) return
  // Without the page that is being loaded.
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length > 0) return
  const others = (await caches.keys()).filter((name) => name !== cacheName && name !== sharedImage.cache)
  await Promise.all(others.map((name) => caches.delete(name)))
}

/** Focuses the page of a notification, or opens it. Other open pages may have what the user is typing. */
async function showPage({ url }: NotificationData): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find((candidate) => candidate.url === url)
  await (page ? page.focus() : self.clients.openWindow(url))
}
