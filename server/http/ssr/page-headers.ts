import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { loadingScript } from '../../../src/hydration/loading-script.ts'
import { themeBootScript } from '../../../src/theme/boot-script.ts'
import type { AuthConfig, ClerkAuthConfig } from '../../config/auth-section.ts'

/**
 * The content security policy of pages: only our own files run, and the two inline scripts are known by their hashes. Where users
 * sign in at Clerk, its script runs too, with what it loads.
 */
export function pageHeaders(auth: AuthConfig): MiddlewareHandler {
  const { script, style, image, connect, ...others } = auth.kind === 'clerk' ? clerkSources(auth) : nothing
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", ...inlineScripts, ...script],
      styleSrc: ["'self'", ...style],
      styleSrcAttr: ["'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:', ...image],
      connectSrc: ["'self'", ...connect],
      ...others,
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    ...commonElsewhere,
  })
}

/** By what a policy knows an inline script. */
export function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

const inlineScripts = [themeBootScript, loadingScript].map(hashOf)

/** The headers beside the policy, which every answer has of its own. */
export const commonElsewhere = {
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

const nothing = { script: [], style: [], image: [], connect: [] }

/** What Clerk asks for: https://clerk.com/docs/guides/secure/best-practices/csp-headers */
function clerkSources({ frontendApi }: ClerkAuthConfig) {
  const instance = `https://${frontendApi}`
  const botProtection = 'https://challenges.cloudflare.com'
  const fraudProtection = 'https://*.protect.clerk.com'
  return {
    script: [instance, botProtection, fraudProtection],
    // Its forms write their style sheets as they go.
    style: ["'unsafe-inline'"],
    image: ['https://img.clerk.com'],
    // Without a port only the usual one is meant, and these hosts use others.
    connect: [instance, `${fraudProtection}:*`],
    frameSrc: [botProtection, fraudProtection],
    workerSrc: ["'self'", 'blob:'],
  }
}
