import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { wholeNumber } from './variables.ts'

/** Which sign-in runs, with what it needs; one member for each kind. */
export type AuthConfig = LocalAuthConfig | ClerkAuthConfig

/** Accounts in our own database. */
export interface LocalAuthConfig {
  readonly kind: 'local'
  readonly signUp: 'open' | 'closed'
  /** Sign-ups from one network, successful or not. */
  readonly hourlySignUpLimit: number
  /** Signs sessions; null: the one kept in the data directory. */
  readonly secret: string | null
}

/** Accounts at Clerk. */
export interface ClerkAuthConfig {
  readonly kind: 'clerk'
  readonly publishableKey: string
  /** Host of the instance's frontend API, as the publishable key names it: it issues the session tokens. */
  readonly frontendApi: string
  readonly secretKey: string
  /** PEM of the key that signs session tokens; null: fetched from Clerk. */
  readonly jwtKey: string | null
  /** Signs what Clerk tells us of deleted accounts; null: nothing is listened to. */
  readonly webhookSecret: string | null
  /** Ids of the users who may delete any post. */
  readonly administrators: readonly string[]
}

/** The variables of sign-in, turned into one of the kinds. */
export const authSection = z
  .object({
    AUTH: z.enum(['local', 'clerk'], 'must be local or clerk.').optional(),
    SIGN_UP: z.enum(['open', 'closed'], 'must be open or closed.').default('open'),
    HOURLY_SIGN_UP_LIMIT: wholeNumber(1, 1_000_000).default(100),
    AUTH_SECRET: z.string().min(32, 'must have at least 32 characters.').optional(),
    CLERK_PUBLISHABLE_KEY: z
      .string()
      .trim()
      .refine(
        (value) => frontendApiOf(value) !== null,
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
    CLERK_JWT_KEY: z
      .string()
      .transform((value, context) => {
        const pem = signingKeyOf(value)
        if (pem !== null) return pem
        context.addIssue({
          code: 'custom',
          message:
            'is not a public key in PEM; copy the one that starts with -----BEGIN PUBLIC KEY----- from the Clerk dashboard.',
        })
        return z.NEVER
      })
      .optional(),
    CLERK_WEBHOOK_SIGNING_SECRET: z
      .string()
      .trim()
      .regex(
        /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
        'is not a signing secret; copy the one that starts with whsec_ from the webhook in the Clerk dashboard.',
      )
      .optional(),
    CLERK_ADMINISTRATORS: z
      .string()
      .transform((value) => value.split(',').map((id) => id.trim()))
      .refine(
        (ids) => ids.every((id) => /^user_\w+$/.test(id)),
        'must be ids of Clerk users, such as user_2abc, separated by commas.',
      )
      .optional(),
  })
  .transform((values, context): AuthConfig => {
    const kind = values.AUTH ?? (values.CLERK_PUBLISHABLE_KEY ? 'clerk' : 'local')
    if (kind === 'local') {
      return {
        kind,
        signUp: values.SIGN_UP,
        hourlySignUpLimit: values.HOURLY_SIGN_UP_LIMIT,
        secret: values.AUTH_SECRET ?? null,
      }
    }
    const { CLERK_PUBLISHABLE_KEY: publishableKey, CLERK_SECRET_KEY: secretKey } = values
    const frontendApi = frontendApiOf(publishableKey ?? '')
    if (!publishableKey || !frontendApi || !secretKey) {
      for (const variable of ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY'] as const) {
        if (values[variable]) continue
        context.addIssue({
          code: 'custom',
          path: [variable],
          message: 'is missing; sign-in by Clerk needs it. Set it, or set AUTH=local.',
        })
      }
      return z.NEVER
    }
    if (kindOfInstance(publishableKey) !== kindOfInstance(secretKey)) {
      context.addIssue({
        code: 'custom',
        path: ['CLERK_SECRET_KEY'],
        message:
          'is of another instance than CLERK_PUBLISHABLE_KEY, one of them of a test instance; copy both from the same one.',
      })
      return z.NEVER
    }
    return {
      kind,
      publishableKey,
      frontendApi,
      secretKey,
      jwtKey: values.CLERK_JWT_KEY ?? null,
      webhookSecret: values.CLERK_WEBHOOK_SIGNING_SECRET ?? null,
      administrators: values.CLERK_ADMINISTRATORS ?? [],
    }
  })

/** The host in `pk_test_` or `pk_live_` and the base64 of that host, ended by `$`; null for anything else. */
function frontendApiOf(publishableKey: string): string | null {
  const encoded = /^pk_(?:test|live)_([A-Za-z0-9+/]+={0,2})$/.exec(publishableKey)?.[1]
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('latin1')
  return /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)\$$/i.exec(decoded)?.[1]?.toLowerCase() ?? null
}

/** `test` or `live`, as both keys say. */
function kindOfInstance(key: string): string | undefined {
  return key.split('_')[1]
}

/** A public key in PEM of the one kind that Clerk signs with and its SDK reads; null for anything else. */
function signingKeyOf(value: string): string | null {
  // Where a file can't hold a line break in a value, it is written as \n.
  const pem = value.trim().replaceAll(String.raw`\n`, '\n')
  if (!pem.startsWith('-----BEGIN PUBLIC KEY-----')) return null
  try {
    const key = createPublicKey(pem)
    const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {}
    const isClerks = key.asymmetricKeyType === 'rsa' && modulusLength === 2048 && publicExponent === 65_537n
    return isClerks ? key.export({ type: 'spki', format: 'pem' }).toString() : null
  } catch {
    return null
  }
}
