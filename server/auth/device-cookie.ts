import { createHmac, randomUUID } from 'node:crypto'
import type { createAuthMiddleware } from 'better-auth/api'

type CallContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

const maxAgeSeconds = 365 * 24 * 60 * 60

/**
 * Sets the cookie that identifies a browser that has signed in to this account. It grants nothing but a separate count of
 * password attempts. Each sign-in sets a new one.
 */
export async function setDeviceCookie(ctx: CallContext, email: string): Promise<void> {
  const { name, attributes, account } = deviceCookie(ctx, email)
  await ctx.setSignedCookie(name, `${account}.${randomUUID()}`, ctx.context.secret, attributes)
}

/** Deletes the device cookie of an account. */
export function deleteDeviceCookie(ctx: CallContext, email: string): void {
  const { name, attributes } = deviceCookie(ctx, email)
  ctx.setCookie(name, '', { ...attributes, maxAge: 0 })
}

/** Reads the id of a browser that has signed in to this account; null for any other. */
export async function readDeviceCookie(ctx: CallContext, email: string): Promise<string | null> {
  const { name, account } = deviceCookie(ctx, email)
  const value = await ctx.getSignedCookie(name, ctx.context.secret)
  return value && value.startsWith(`${account}.`) ? value : null
}

/** One cookie per account, as a browser may have several users. The name does not reveal the email. */
function deviceCookie(ctx: CallContext, email: string) {
  const hash = createHmac('sha256', ctx.context.secret).update(`device of ${email}`).digest('hex')
  const account = hash.slice(0, 16)
  const attributes = { maxAge: maxAgeSeconds, path: '/api/auth/sign-in' }
  return { account, ...ctx.context.createAuthCookie(`device_${account}`, attributes) }
}
