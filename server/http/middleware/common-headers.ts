import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { matchPath, pagePaths } from '../../../shared/routes.ts'
import type { Config } from '../../config/config.ts'
import { siteOrigin } from '../../config/site-origin.ts'

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
