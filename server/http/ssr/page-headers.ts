import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { dismissedScript } from '../../../src/browser/dismissed-script.ts'
import { loadingScript } from '../../../src/browser/loading-script.ts'
import { themeBootScript } from '../../../src/theme/boot-script.ts'
import type { AuthConfig, ClerkAuthConfig } from '../../config/auth-section.ts'

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
