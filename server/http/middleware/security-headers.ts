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
    // The requests of the page would send its token to the logs of proxies.
    if (matchPath(pagePaths.invitation, c.req.path) !== null)
      c.res.headers.set('Referrer-Policy', 'no-referrer')
    if (siteOrigin(config, c.req.raw.headers)?.startsWith('https:')) {
      c.res.headers.set('Strict-Transport-Security', strictTransportSecurity)
    }
  }
}

/** Content security policy of pages: own files and two inline scripts by hash; with Clerk, also the sources it needs. */
export function pageHeaders(auth: AuthConfig): MiddlewareHandler {
  const { script, style, image, connect, worker, ...others } =
    auth.kind === 'clerk' ? clerkSources(auth) : noSources
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", ...inlineScripts, ...script],
      styleSrc: ["'self'", ...style],
      styleSrcAttr: ["'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:', ...image],
      connectSrc: ["'self'", ...connect],
      workerSrc: ["'self'", ...worker],
      manifestSrc: ["'self'"],
      ...others,
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    ...cspOnly,
  })
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

/** Disables the other headers of `secureHeaders`, which `commonHeaders` sets. */
export const cspOnly = {
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  strictTransportSecurity: false,
  xContentTypeOptions: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
}

const noSources = { script: [], style: [], image: [], connect: [], worker: [] }

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
    frameSrc: [botProtection, fraudProtection],
  }
}
