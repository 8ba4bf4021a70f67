import { z } from 'zod'

/** Which sign-in runs, with what it needs; one member for each kind. */
export type AuthConfig = LocalAuthConfig

/** Accounts in our own database. */
export interface LocalAuthConfig {
  readonly kind: 'local'
  readonly signUp: 'open' | 'closed'
  /** Signs sessions; null: the one kept in the data directory. */
  readonly secret: string | null
}

/** The variables of sign-in, turned into one of the kinds. */
export const authSection = z
  .object({
    AUTH: z.enum(['local', 'clerk'], 'must be local or clerk.').optional(),
    SIGN_UP: z.enum(['open', 'closed'], 'must be open or closed.').default('open'),
    AUTH_SECRET: z.string().min(32, 'must have at least 32 characters.').optional(),
    CLERK_PUBLISHABLE_KEY: z
      .string()
      .trim()
      .refine(
        isPublishableKey,
        'is not a publishable key; copy the one that starts with pk_ from the Clerk dashboard.',
      )
      .optional(),
    CLERK_SECRET_KEY: z
      .string()
      .trim()
      .regex(
        /^sk_(test|live)_\w+$/,
        'is not a secret key; copy the one that starts with sk_ from the Clerk dashboard.',
      )
      .optional(),
    CLERK_JWT_KEY: z.string().trim().optional(),
  })
  .transform((values, context): AuthConfig => {
    const kind = values.AUTH ?? (values.CLERK_PUBLISHABLE_KEY ? 'clerk' : 'local')
    if (kind === 'local') {
      return { kind, signUp: values.SIGN_UP, secret: values.AUTH_SECRET ?? null }
    }
    const missing = (variable: string) =>
      context.addIssue({
        code: 'custom',
        path: [variable],
        message: 'is missing; sign-in by Clerk needs it. Set it, or set AUTH=local.',
      })
    if (!values.CLERK_PUBLISHABLE_KEY) missing('CLERK_PUBLISHABLE_KEY')
    if (!values.CLERK_SECRET_KEY) missing('CLERK_SECRET_KEY')
    context.addIssue({
      code: 'custom',
      path: ['AUTH'],
      message: 'sign-in by Clerk is not part of this version yet; set AUTH=local.',
    })
    return z.NEVER
  })

/** `pk_test_` or `pk_live_` and the base64 of the frontend API's host, ended by `$`. */
function isPublishableKey(value: string): boolean {
  const encoded = /^pk_(?:test|live)_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1]
  if (!encoded) return false
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+\$$/i.test(Buffer.from(encoded, 'base64').toString('latin1'))
}
