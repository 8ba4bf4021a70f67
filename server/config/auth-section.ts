import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { isLoopbackHost } from '../network/addresses.ts'
import {
  list,
  matching,
  nameUpTo,
  oneOf,
  onOrOff,
  orNull,
  parsed,
  pem,
  reject,
  requireTogether,
  urlOf,
  wholeNumber,
} from './variables.ts'

export type AuthConfig = z.output<typeof authSection>

/** Accounts in the site's own database. */
export type LocalAuthConfig = Extract<AuthConfig, { kind: 'local' }>

export type ClerkAuthConfig = Extract<AuthConfig, { kind: 'clerk' }>

/** An OpenID Connect provider, at which users of local accounts sign in. */
export type OidcConfig = NonNullable<ReturnType<typeof readProvider>>

/**
 * An issuer identifier; transformed to a URL without a trailing slash.
 *
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html#IssuerDiscovery
 */
const issuer = parsed((text) => {
  const url = urlOf(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  const isPlain = url && isSafe && !url.search && !url.hash && !url.username && !url.password
  return isPlain ? url.href.replace(/\/$/, '') : null
}, 'must be the https URL of an issuer without query, such as https://login.example.org; http is accepted for localhost only.')

const authVariables = z.object({
  AUTH: oneOf('local', 'clerk').optional(),
  SIGN_UP: orNull(oneOf('open', 'closed', 'invite')),
  LOCAL_SIGN_IN: onOrOff.default(true),
  REQUIRE_VERIFIED_EMAIL: onOrOff.default(false),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().trim().optional(),
  OIDC_CLIENT_SECRET: z.string().trim().optional(),
  OIDC_NAME: nameUpTo(40).optional(),
  OIDC_ADMIN_GROUP: z.string().trim().optional(),
  OIDC_SCOPES: list(
    /[\s,]+/,
    (scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.exec(scope)?.[0] ?? null,
    'must be scopes separated by spaces, such as groups.',
  ).optional(),
  HOURLY_SIGN_UP_LIMIT: wholeNumber(1, 1_000_000).default(100),
  AUTH_SECRET: orNull(z.string().min(32, 'must have at least 32 characters.')),
  CLERK_PUBLISHABLE_KEY: parsed((key) => {
    const frontendApi = frontendApiOf(key)
    return frontendApi === null ? null : { key, frontendApi }
  }, 'is not a publishable key; copy the key that starts with pk_ from the Clerk dashboard.').optional(),
  CLERK_SECRET_KEY: matching(
    /^sk_(test|live)_\w+$/,
    'is not a secret key; copy the key that starts with sk_ from the Clerk dashboard.',
  ).optional(),
  CLERK_JWT_KEY: orNull(
    pem(signingKeyOf, 'the key from the Clerk dashboard that starts with -----BEGIN PUBLIC KEY-----'),
  ),
  CLERK_WEBHOOK_SIGNING_SECRET: orNull(
    matching(
      /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      'is not a signing secret; copy the secret that starts with whsec_ from the webhook in the Clerk dashboard.',
    ),
  ),
  CLERK_ADMINISTRATORS: list(
    /,/,
    (id) => /^user_\w+$/.exec(id)?.[0] ?? null,
    'must be ids of Clerk users, such as user_2abc, separated by commas.',
  ).default([]),
})

type AuthVariables = z.output<typeof authVariables>

export const authSection = authVariables.transform((values, context) => {
  // A secret key alone is no reason to let strangers create local accounts.
  const clerkKey = values.CLERK_PUBLISHABLE_KEY ?? values.CLERK_SECRET_KEY
  const kind = values.AUTH ?? (clerkKey ? 'clerk' : 'local')
  return kind === 'local' ? readLocal(values, context) : readClerk(values, context)
})

function readLocal(values: AuthVariables, context: z.RefinementCtx) {
  const provider = readProvider(values, context)
  if (!values.LOCAL_SIGN_IN && !provider) {
    const fix = 'Set OIDC_ISSUER, or remove LOCAL_SIGN_IN.'
    reject(context, `is off, and there is no other way to sign in. ${fix}`, 'LOCAL_SIGN_IN')
  }
  return {
    kind: 'local' as const,
    /** Who may create an account; null: chosen on the site. */
    signUp: values.SIGN_UP,
    /** Whether users sign in with an email and a password or a passkey. Otherwise only at the provider. */
    localSignIn: values.LOCAL_SIGN_IN,
    /** OpenID Connect provider; null: none. */
    provider,
    /** Whether users must verify their email address before they can sign in. */
    requireVerifiedEmail: values.REQUIRE_VERIFIED_EMAIL,
    /** Attempts to sign up per client network and hour, successful or not. */
    hourlySignUpLimit: values.HOURLY_SIGN_UP_LIMIT,
    /** Key that signs sessions; null: the one in the data directory. */
    secret: values.AUTH_SECRET,
  }
}

function readClerk(values: AuthVariables, context: z.RefinementCtx) {
  const { CLERK_PUBLISHABLE_KEY: publishable, CLERK_SECRET_KEY: secretKey } = values
  requireTogether(values, ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY'], context, {
    optional: ['AUTH'],
    purpose: 'to keep accounts in the database',
  })
  for (const name of ['OIDC_ISSUER', 'SIGN_UP', 'REQUIRE_VERIFIED_EMAIL'] as const)
    if (values[name] && values[name] !== 'open')
      reject(context, 'has no effect, as accounts are at Clerk. Remove it, or set AUTH=local.', name)
  if (!publishable || !secretKey) return z.NEVER
  if (instanceTypeOf(publishable.key) !== instanceTypeOf(secretKey)) {
    const message =
      'belongs to another instance than CLERK_PUBLISHABLE_KEY (one is test, one is live); copy both from the same instance.'
    return reject(context, message, 'CLERK_SECRET_KEY')
  }
  return {
    kind: 'clerk' as const,
    publishableKey: publishable.key,
    /** Host of the instance's Frontend API, from the publishable key; the issuer of session tokens. */
    frontendApi: publishable.frontendApi,
    secretKey,
    /** Public key (PEM) of session tokens; null: fetched from Clerk. */
    jwtKey: values.CLERK_JWT_KEY,
    /** Key that signs webhooks about deleted accounts; null: webhooks are off. */
    webhookSecret: values.CLERK_WEBHOOK_SIGNING_SECRET,
    /** User ids. */
    administrators: values.CLERK_ADMINISTRATORS,
  }
}

/** Reads the provider, which has all of its required variables or none. */
function readProvider(values: AuthVariables, context: z.RefinementCtx) {
  const { OIDC_ISSUER: issuerUrl, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values
  const required = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
  requireTogether(values, required, context, { optional: ['OIDC_NAME', 'OIDC_ADMIN_GROUP', 'OIDC_SCOPES'] })
  if (!issuerUrl || !clientId || !clientSecret) return null
  return {
    /** Issuer identifier, without a trailing slash. */
    issuer: issuerUrl,
    clientId,
    clientSecret,
    /** Name of the provider on the sign-in button. */
    name: values.OIDC_NAME ?? 'single sign-on',
    /** Group whose members are administrators; null: the provider does not decide on roles. */
    adminGroup: values.OIDC_ADMIN_GROUP ?? null,
    /** Scopes in addition to `openid profile email`. */
    scopes: values.OIDC_SCOPES ?? [],
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

/** Normalizes a PEM of the only type that Clerk uses (RSA, 2048 bits); null for another. */
function signingKeyOf(text: string): string | null {
  if (!text.startsWith('-----BEGIN PUBLIC KEY-----')) return null
  const key = createPublicKey(text)
  const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {}
  const isClerkKey = key.asymmetricKeyType === 'rsa' && modulusLength === 2048 && publicExponent === 65_537n
  return isClerkKey ? key.export({ type: 'spki', format: 'pem' }).toString() : null
}
