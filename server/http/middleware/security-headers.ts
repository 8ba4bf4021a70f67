import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { raw } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import { matchPath, pagePaths } from '../../../shared/routes.ts'
import { dismissedScript } from '../../../src/browser/dismissed-script.ts'
import { loadingScript } from '../../../src/browser/loading-script.ts'
import { themeBootScript } from '../../../src/theme/boot-script.ts'
import type { Config } from '../../config/config.ts'
import { siteOrigin } from '../../config/site-origin.ts'
import type { AuthConfig, ClerkAuthConfig } from '../../config/auth-section.ts'

/** Browser features that no page uses. */
const disabledFeatures = {
  camera: [],
  microphone: [],
  geolocation: [],
  payment: [],
  usb: [],
  serial: [],
  hid: [],
  midi: [],
  displayCapture: [],
  accelerometer: [],
  gyroscope: [],
  magnetometer: [],
}

/** One year. */
const strictTransportSecurity = 'max-age=31536000'

const secretPages = [pagePaths.invitation, pagePaths.joinCollection, pagePaths.setup]

/** Sets the security headers of every response; pages and images add policies of their own. */
export function commonHeaders(config: Config): MiddlewareHandler {
  const setHeaders = secureHeaders({
    referrerPolicy: 'strict-origin-when-cross-origin',
    xFrameOptions: 'DENY',
    permissionsPolicy: disabledFeatures,
    // Depends on the request; set below.
    strictTransportSecurity: false,
    // Other sites may embed images.
    crossOriginResourcePolicy: false,
    // Obsolete.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  return async (c, next) => {
    await setHeaders(c, next)
    // The requests of these pages would send their secrets to the logs of proxies.
    if (secretPages.some((page) => matchPath(page, c.req.path) !== null))
      c.res.headers.set('Referrer-Policy', 'no-referrer')
    if (siteOrigin(config, c.req.raw.headers)?.startsWith('https:')) {
      c.res.headers.set('Strict-Transport-Security', strictTransportSecurity)
    }
  }
}

/** Sets the policy of pages: own files and inline scripts by hash; with Clerk, also the sources it needs. */
export function pageHeaders(auth: AuthConfig): MiddlewareHandler {
  const clerk = auth.kind === 'clerk' ? clerkSources(auth) : null
  const policy = contentSecurityPolicy({
    'script-src': ["'self'", ...inlineScripts, ...(clerk?.script ?? [])],
    'style-src': ["'self'", ...(clerk?.style ?? [])],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...(clerk?.image ?? [])],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(clerk?.connect ?? [])],
    'worker-src': ["'self'", ...(clerk?.worker ?? [])],
    'manifest-src': ["'self'"],
    ...(clerk && { 'frame-src': clerk.frame }),
    'form-action': ["'self'"],
  })
  return async (c, next) => {
    await next()
    c.res.headers.set('Content-Security-Policy', policy)
  }
}

/** Creates the policy of a page, which may load nothing but what the directives name, and is not shown in frames. */
export function contentSecurityPolicy(sources: Readonly<Record<string, readonly string[]>>): string {
  const none = ["'none'"]
  return Object.entries({ 'default-src': none, ...sources, 'base-uri': none, 'frame-ancestors': none })
    .map(([directive, allowed]) => [directive, ...allowed].join(' '))
    .join('; ')
}

/** The CSP source expression of an inline script. */
export function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

/** A script element with exactly this content, which the page's policy identifies by its hash. */
export function inlineScript(source: string, attributes?: string) {
  return raw(`<script${attributes === undefined ? '' : ` ${attributes}`}>${source}</script>`)
}

const inlineScripts = [themeBootScript, dismissedScript, loadingScript].map(hashOf)

/** @see https://clerk.com/docs/guides/secure/best-practices/csp-headers */
function clerkSources({ frontendApi }: ClerkAuthConfig) {
  const instance = `https://${frontendApi}`
  const botProtection = 'https://challenges.cloudflare.com'
  const fraudProtection = 'https://*.protect.clerk.com'
  return {
    script: [instance, botProtection, fraudProtection],
    // Clerk's components insert style elements at run time.
    style: ["'unsafe-inline'"],
    image: ['https://img.clerk.com'],
    // Without `:*` only the default port is allowed, and these hosts use others.
    connect: [instance, `${fraudProtection}:*`],
    worker: ['blob:'],
    frame: [botProtection, fraudProtection],
  }
}
