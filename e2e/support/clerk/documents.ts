import type { Account, ClerkClient, ClerkSession } from './accounts.ts'

/** Creates the token of a session. */
export type MintToken = (session: ClerkSession) => string

const day = 86_400_000

/** A client in the format of the Frontend API, with its session if any. */
export function clientDocument(client: ClerkClient, mint: MintToken) {
  const session = client.session?.isRevoked ? null : client.session
  return {
    object: 'client',
    id: client.id,
    sessions: session ? [sessionDocument(session, mint)] : [],
    sign_in: client.identifier === null ? null : signInDocument(client),
    sign_up: null,
    last_active_session_id: session?.id ?? null,
    last_authentication_strategy: null,
    cookie_expires_at: null,
    captcha_bypass: false,
    ...times(),
  }
}

export function sessionDocument(session: ClerkSession, mint: MintToken) {
  const { account } = session
  return {
    object: 'session',
    id: session.id,
    status: 'active',
    expire_at: Date.now() + 7 * day,
    abandon_at: Date.now() + 30 * day,
    last_active_at: Date.now(),
    last_active_organization_id: null,
    last_active_token: { object: 'token', jwt: mint(session) },
    factor_verification_age: [0, -1],
    actor: null,
    tasks: null,
    user: userDocument(account),
    public_user_data: {
      first_name: account.firstName,
      last_name: account.lastName,
      image_url: account.imageUrl,
      has_image: true,
      identifier: account.email,
      profile_image_id: null,
      user_id: account.id,
    },
    ...times(),
  }
}

export function userDocument(account: Account) {
  const { id, email, firstName, lastName, imageUrl } = account
  return {
    object: 'user',
    id,
    external_id: null,
    username: null,
    first_name: firstName,
    last_name: lastName,
    image_url: imageUrl,
    has_image: true,
    primary_email_address_id: 'idn_1',
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    email_addresses: [
      {
        object: 'email_address',
        id: 'idn_1',
        email_address: email,
        verification: { object: 'verification', status: 'verified', strategy: 'admin' },
        linked_to: [],
        matches_sso_connection: false,
      },
    ],
    phone_numbers: [],
    web3_wallets: [],
    external_accounts: [],
    enterprise_accounts: [],
    saml_accounts: [],
    passkeys: [],
    organization_memberships: [],
    password_enabled: true,
    totp_enabled: false,
    backup_code_enabled: false,
    two_factor_enabled: false,
    public_metadata: {},
    unsafe_metadata: {},
    last_sign_in_at: Date.now(),
    create_organization_enabled: false,
    delete_self_enabled: true,
    legal_accepted_at: null,
    banned: false,
    locked: false,
    ...times(),
  }
}

/** A sign-in that requires the password, or has succeeded. */
export function signInDocument({ signInId, identifier }: ClerkClient, session: ClerkSession | null = null) {
  return {
    object: 'sign_in',
    id: signInId,
    status: session ? 'complete' : identifier === null ? 'needs_identifier' : 'needs_first_factor',
    supported_identifiers: ['email_address'],
    supported_first_factors: [{ strategy: 'password' }],
    supported_second_factors: null,
    first_factor_verification: null,
    second_factor_verification: null,
    identifier,
    user_data: null,
    created_session_id: session?.id ?? null,
  }
}

/** A successful sign-up, without email verification. */
export function signUpDocument({ id, account }: ClerkSession) {
  return {
    object: 'sign_up',
    id: 'sua_1',
    status: 'complete',
    required_fields: ['email_address', 'password', 'first_name'],
    optional_fields: [],
    missing_fields: [],
    unverified_fields: [],
    verifications: {},
    username: null,
    email_address: account.email,
    phone_number: null,
    web3_wallet: null,
    external_account_strategy: null,
    external_account: null,
    has_password: true,
    first_name: account.firstName,
    last_name: account.lastName,
    created_session_id: id,
    created_user_id: account.id,
    abandon_at: Date.now() + day,
    legal_accepted_at: null,
  }
}

function times() {
  return { created_at: Date.now(), updated_at: Date.now() }
}
