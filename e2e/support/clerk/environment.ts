/** Settings of an instance with email and password, in the format of the Frontend API. */
export function environmentDocument(kind: 'production' | 'development', origin: string) {
  return {
    object: 'environment',
    id: 'env_1',
    maintenance_mode: false,
    client_debug_mode: false,
    partitioned_cookies: false,
    api_keys_settings: { user_api_keys_enabled: false, orgs_api_keys_enabled: false },
    protect_config: { object: 'protect_config', id: 'pc_1' },
    auth_config: {
      object: 'auth_config',
      id: 'aconf_1',
      single_session_mode: true,
      claimed_at: null,
      reverification: false,
      preferred_channels: null,
      first_factors: ['password'],
      second_factors: [],
      identification_requirements: [],
      url_based_session_syncing: true,
    },
    display_config: displayConfig(kind, origin),
    user_settings: userSettings(),
    organization_settings: {
      enabled: false,
      max_allowed_memberships: 5,
      force_organization_selection: false,
      actions: { admin_delete: true },
      domains: { enabled: false, enrollment_modes: [], default_role: null },
      slug: { disabled: true },
      organization_creation_defaults: { enabled: false },
    },
    commerce_settings: {
      billing: {
        stripe_publishable_key: null,
        organization: { enabled: false, has_paid_plans: false },
        user: { enabled: false, has_paid_plans: false },
        enabled: false,
      },
    },
  }
}

function displayConfig(kind: 'production' | 'development', origin: string) {
  // Clerk's hosted pages, to which no test should navigate.
  const portal = 'https://accounts.rangoli.example'
  return {
    object: 'display_config',
    id: 'display_config_1',
    instance_environment_type: kind,
    application_name: 'Rangoli',
    theme: { buttons: {}, general: {}, accounts: {} },
    preferred_sign_in_strategy: 'password',
    logo_image_url: '',
    favicon_image_url: '',
    home_url: origin,
    sign_in_url: `${portal}/sign-in`,
    sign_up_url: `${portal}/sign-up`,
    user_profile_url: `${portal}/user`,
    waitlist_url: '',
    after_sign_in_url: origin,
    after_sign_up_url: origin,
    after_sign_out_one_url: `${portal}/sign-in`,
    after_sign_out_all_url: `${portal}/sign-in`,
    after_switch_session_url: origin,
    after_join_waitlist_url: '',
    organization_profile_url: '',
    create_organization_url: '',
    after_leave_organization_url: '',
    after_create_organization_url: '',
    support_email: '',
    branded: true,
    clerk_js_version: '6',
    captcha_public_key: null,
    captcha_widget_type: null,
    captcha_public_key_invisible: null,
    captcha_provider: 'turnstile',
    captcha_oauth_bypass: [],
    google_one_tap_client_id: null,
    show_devmode_warning: kind === 'development',
    terms_url: '',
    privacy_policy_url: '',
  }
}

function userSettings() {
  return {
    attributes: {
      email_address: attribute({
        enabled: true,
        required: true,
        used_for_first_factor: true,
        first_factors: ['email_code'],
        verifications: ['email_code'],
      }),
      password: attribute({ enabled: true, required: true }),
      first_name: attribute({ enabled: true, required: true }),
      last_name: attribute({ enabled: true }),
      phone_number: attribute(),
      username: attribute(),
      web3_wallet: attribute(),
      authenticator_app: attribute(),
      backup_code: attribute(),
      passkey: attribute(),
      ticket: attribute({ enabled: true }),
    },
    actions: { delete_self: true, create_organization: false, create_organizations_limit: null },
    social: {},
    saml: { enabled: false },
    enterprise_sso: { enabled: false, self_serve_directory_sync: false },
    sign_in: { second_factor: { required: false, enabled: false } },
    sign_up: {
      captcha_enabled: false,
      captcha_widget_type: 'smart',
      custom_action_required: false,
      progressive: true,
      mode: 'public',
      legal_consent_enabled: false,
      allowlist_only: false,
    },
    password_settings: {
      disable_hibp: true,
      min_length: 8,
      max_length: 72,
      require_special_char: false,
      require_numbers: false,
      require_uppercase: false,
      require_lowercase: false,
      show_zxcvbn: false,
      min_zxcvbn_strength: 0,
      enforce_hibp_on_sign_in: false,
      allowed_special_characters: '!',
    },
    passkey_settings: { allow_autofill: false, show_sign_in_button: false },
    username_settings: { min_length: 4, max_length: 64 },
    attack_protection: {
      user_lockout: { enabled: false },
      pii: { enabled: false },
      email_link: { require_same_client: false },
    },
  }
}

function attribute(settings: object = {}) {
  return {
    enabled: false,
    required: false,
    verifications: [],
    used_for_first_factor: false,
    first_factors: [],
    used_for_second_factor: false,
    second_factors: [],
    verify_at_sign_up: false,
    ...settings,
  }
}
