import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import type { SignUpMode } from '../../shared/site-options.ts'
import { onOrOff, wholeNumber } from './variables.ts'

/** Configuration of sign-in. */
export type AuthConfig = LocalAuthConfig | ClerkAuthConfig

/** Accounts in the site's own database. */
export interface LocalAuthConfig {
  readonly kind: 'local'
  /** Who may create an account; null: chosen on the site. */
  readonly signUp: SignUpMode | null
  /** Whether users sign in with an email and a password or a passkey. Otherwise only at the provider. */
  readonly localSignIn: boolean
  /** OpenID Connect provider; null: none. */
  readonly provider: OidcConfig | null
  /** Whether users must verify their email address before they can sign in. */
  readonly requireVerifiedEmail: boolean
  /** Attempts to sign up per client network and hour, successful or not. */
  readonly hourlySignUpLimit: number
  /** Key that signs sessions; null: the one in the data directory. */
  readonly secret: string | null
}

/** An OpenID Connect provider, at which users of local accounts sign in. */
export interface OidcConfig {
  /** Issuer identifier, without a trailing slash. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Name of the provider on the sign-in button. */
  readonly name: string
  /** Group whose members are administrators; null: the provider does not decide on roles. */
  readonly adminGroup: string | null
  /** Scopes in addition to `openid profile email`. */
  readonly scopes: readonly string[]
}

/** Accounts at Clerk. */
export interface ClerkAuthConfig {
  readonly kind: 'clerk'
  readonly publishableKey: string
  /** Host of the instance's Frontend API, from the publishable key; the issuer of session tokens. */
  readonly frontendApi: string
  readonly secretKey: string
  /** Public key (PEM) of session tokens; null: fetched from Clerk. */
  readonly jwtKey: string | null
  /** Key that signs webhooks about deleted accounts; null: webhooks are off. */
  readonly webhookSecret: string | null
  /** User ids. */
  readonly administrators: readonly string[]
}

const issuerMessage =
  'must be the https URL of an issuer without query, such as https://login.example.org; http is accepted for localhost only.'

/**
 * An issuer identifier; transformed to a URL without a trailing slash.
 *
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html#IssuerDiscovery
 */
const issuer = z.string().transform((value, context) => {
  const url = URL.canParse(value.trim()) ? new URL(value.trim()) : null
  const isSafe =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
  if (url && isSafe && !url.search && !url.hash && !url.username && !url.password) {
    return url.href.replace(/\/$/, '')
  }
  context.addIssue({ code: 'custom', message: issuerMessage })
  return z.NEVER
})

const authVariables = z.object({
  AUTH: z.enum(['local', 'clerk'], 'must be local or clerk.').optional(),
  SIGN_UP: z.enum(['open', 'closed', 'invite'], 'must be open, closed or invite.').optional(),
  LOCAL_SIGN_IN: onOrOff.default(true),
  REQUIRE_VERIFIED_EMAIL: onOrOff.default(false),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().trim().optional(),
  OIDC_CLIENT_SECRET: z.string().trim().optional(),
  OIDC_NAME: z
    .string()
    .trim()
    .max(40, 'must have at most 40 characters.')
    .regex(/^\P{Cc}+$/u, 'must not contain control characters.')
    .default('single sign-on'),
  OIDC_ADMIN_GROUP: z.string().trim().optional(),
  OIDC_SCOPES: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine(
      (scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)),
      'must be scopes separated by spaces, such as groups.',
    )
    .default([]),
  HOURLY_SIGN_UP_LIMIT: wholeNumber(1, 1_000_000).default(100),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters.').optional(),
  CLERK_PUBLISHABLE_KEY: z
    .string()
    .trim()
    .refine(
      (value) => frontendApiOf(value) !== null,
      'is not a publishable key; copy the key that starts with pk_ from the Clerk dashboard.',
    )
    .optional(),
  CLERK_SECRET_KEY: z
    .string()
    .trim()
    .regex(
      /^sk_(test|live)_\w+$/,
      'is not a secret key; copy the key that starts with sk_ from the Clerk dashboard.',
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
          'is not a public key in PEM format; copy the key that starts with -----BEGIN PUBLIC KEY----- from the Clerk dashboard.',
      })
      return z.NEVER
    })
    .optional(),
  CLERK_WEBHOOK_SIGNING_SECRET: z
    .string()
    .trim()
    .regex(
      /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      'is not a signing secret; copy the secret that starts with whsec_ from the webhook in the Clerk dashboard.',
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

export const authSection = authVariables.transform((values, context): AuthConfig => {
  const kind = values.AUTH ?? (values.CLERK_PUBLISHABLE_KEY ? 'clerk' : 'local')
  if (kind === 'local') {
    const provider = readProvider(values, context)
    if (!values.LOCAL_SIGN_IN && !provider) {
      context.addIssue({
        code: 'custom',
        path: ['LOCAL_SIGN_IN'],
        message: 'is off, and there is no other way to sign in. Set OIDC_ISSUER, or remove LOCAL_SIGN_IN.',
      })
    }
    return {
      kind,
      signUp: values.SIGN_UP ?? null,
      localSignIn: values.LOCAL_SIGN_IN,
      provider,
      requireVerifiedEmail: values.REQUIRE_VERIFIED_EMAIL,
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
        message: 'is missing; sign-in with Clerk requires it. Set it, or set AUTH=local.',
      })
    }
    return z.NEVER
  }
  if (instanceTypeOf(publishableKey) !== instanceTypeOf(secretKey)) {
    context.addIssue({
      code: 'custom',
      path: ['CLERK_SECRET_KEY'],
      message:
        'belongs to another instance than CLERK_PUBLISHABLE_KEY (one is test, one is live); copy both from the same instance.',
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

/** Reads the provider, which has all of its required variables or none. */
function readProvider(values: z.output<typeof authVariables>, context: z.RefinementCtx): OidcConfig | null {
  const { OIDC_ISSUER: issuerUrl, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values
  if (!issuerUrl && !clientId && !clientSecret) return null
  if (!issuerUrl || !clientId || !clientSecret) {
    for (const variable of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
      if (values[variable]) continue
      context.addIssue({
        code: 'custom',
        path: [variable],
        message: 'is missing; OpenID Connect requires it. Set it, or remove the other OIDC_ variables.',
      })
    }
    return null
  }
  return {
    issuer: issuerUrl,
    clientId,
    clientSecret,
    name: values.OIDC_NAME,
    adminGroup: values.OIDC_ADMIN_GROUP ?? null,
    scopes: values.OIDC_SCOPES,
  }
}

/** Decodes the host from a publishable key: `pk_test_` or `pk_live_`, then base64 of the host and `$`. Null if invalid. */
function frontendApiOf(publishableKey: string): string | null {
  const encoded = /^pk_(?:test|live)_([A-Za-z0-9+/]+={0,2})$/.exec(publishableKey)?.[1]
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('latin1')
  return /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)\$$/i.exec(decoded)?.[1]?.toLowerCase() ?? null
}

/** `test` or `live`. */
function instanceTypeOf(key: string): string | undefined {
  return key.split('_')[1]
}

/** Normalizes a PEM of the only type that Clerk uses (RSA, 2048 bits); null for anything else. */
function signingKeyOf(value: string): string | null {
  // Environment files without multi-line values contain \n instead.
  const pem = value.trim().replaceAll(String.raw`\n`, '\n')
  if (!pem.startsWith('-----BEGIN PUBLIC KEY-----')) return null
  try {
    const key = createPublicKey(pem)
    const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {}
    const isClerkKey = key.asymmetricKeyType === 'rsa' && modulusLength === 2048 && publicExponent === 65_537n
    return isClerkKey ? key.export({ type: 'spki', format: 'pem' }).toString() : null
  } catch {
    return null
  }
}
