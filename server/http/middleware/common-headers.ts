import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Config } from '../../config/config.ts'
import { siteOrigin } from '../../config/site-origin.ts'

/** What no page of ours needs, whatever script got into it. */
const noDevices = {
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

/** A year, in seconds: how long a browser comes back by https only, once it was here by https. */
const httpsOnly = 'max-age=31536000'

/** Security headers of every answer, whatever it is; pages and images add policies of their own. */
export function commonHeaders(config: Config): MiddlewareHandler {
  const fixed = secureHeaders({
    referrerPolicy: 'strict-origin-when-cross-origin',
    xFrameOptions: 'DENY',
    permissionsPolicy: noDevices,
    // Known only from the request, below.
    strictTransportSecurity: false,
    // Images may be shown by other sites.
    crossOriginResourcePolicy: false,
    // Advice to browsers of long ago.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  return async (c, next) => {
    await fixed(c, next)
    if (siteOrigin(config, c.req.raw.headers)?.startsWith('https:')) {
      c.res.headers.set('Strict-Transport-Security', httpsOnly)
    }
  }
}
