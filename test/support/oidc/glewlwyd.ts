import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { makeFolder } from '../folder.ts'
import { findFreePorts } from '../ports.ts'
import { CookieJar } from './provider-flow.ts'

/** Schema and defaults of Debian's package, among them an administrator whose password is `password`. */
const schemaFile = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'

const client = { id: 'rangoli', secret: 'secret-of-the-site' }
const user = { username: 'asha', password: 'a password at the provider' }

/** Gives users the property `groups`, which is sent as the claim, and clients several URIs after logout. */
const properties = `
  UPDATE g_user_module_instance SET gumi_parameters =
    json_set(gumi_parameters, '$."data-format".groups', json('{"multiple":true,"read":true,"write":true}'));
  UPDATE g_client_module_instance SET gcmi_parameters =
    json_set(gcmi_parameters, '$."data-format".post_logout_redirect_uris.multiple', json('true'))`

/** Starts Glewlwyd with one client and one user, a member of `admins`. The caller stops it. */
export async function startGlewlwyd(siteUrl: string) {
  const folder = await makeFolder()
  const database = path.join(folder, 'glewlwyd.db')
  const schema = new Sqlite(database)
  schema.exec(await readFile(schemaFile, 'utf8')).exec(properties)
  schema.close()

  const port = await findFreePorts(1)
  const origin = `http://127.0.0.1:${port}`
  const modules = '/usr/lib/glewlwyd'
  const server = spawn('glewlwyd', ['--env-variables'], {
    stdio: 'ignore',
    env: {
      GLWD_BIND_ADDRESS: '127.0.0.1',
      GLWD_PORT: String(port),
      GLWD_EXTERNAL_URL: origin,
      GLWD_LOGIN_URL: 'login.html',
      GLWD_API_PREFIX: 'api',
      GLWD_LOG_MODE: 'console',
      GLWD_LOG_LEVEL: 'ERROR',
      GLWD_HASH_ALGORITHM: 'SHA512',
      GLWD_DATABASE_TYPE: 'sqlite3',
      GLWD_DATABASE_SQLITE3_PATH: database,
      GLWD_USER_MODULE_PATH: `${modules}/user`,
      GLWD_CLIENT_MODULE_PATH: `${modules}/client`,
      GLWD_AUTH_SCHEME_MODULE_PATH: `${modules}/scheme`,
      GLWD_PLUGIN_MODULE_PATH: `${modules}/plugin`,
    },
  })
  const ended = once(server, 'exit')
  const call = async (browser: CookieJar, method: string, resource: string, body: object) => {
    const response = await browser.request(`${origin}/api/${resource}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`Glewlwyd answered ${response.status}: ${await response.text()}`)
  }

  const issuer = `${origin}/api/oidc`
  const stop = async () => {
    server.kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    while (!(await fetch(`${origin}/config`).catch(() => null))) {
      if (server.exitCode !== null) throw new Error(`Glewlwyd exited with ${server.exitCode}.`)
      await delay(50)
    }
    const administrator = new CookieJar()
    await call(administrator, 'POST', 'auth/', { username: 'admin', password: 'password' })
    await call(administrator, 'POST', 'mod/plugin/', openIdConnect(issuer))
    await call(administrator, 'POST', 'client/', {
      client_id: client.id,
      client_secret: client.secret,
      confidential: true,
      enabled: true,
      redirect_uri: [`${siteUrl}/api/auth/callback/oidc`],
      post_logout_redirect_uris: [`${siteUrl}/`],
      authorization_type: ['code'],
      token_endpoint_auth_method: ['client_secret_basic'],
    })
    await call(administrator, 'POST', 'user/', {
      ...user,
      name: 'Asha Rao',
      email: 'asha@example.org',
      enabled: true,
      scope: ['openid'],
      groups: ['admins'],
    })
  } catch (error) {
    await stop()
    throw error
  }

  return {
    /** Variables of a site that signs users in with this provider. */
    env: {
      PUBLIC_URL: siteUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_ADMIN_GROUP: 'admins',
    },
    /** Does what the login page does with the user's password and consent. @returns the URL of the site's callback */
    async logIn(browser: CookieJar, authorizationUrl: string): Promise<string> {
      await call(browser, 'POST', 'auth/', user)
      await call(browser, 'PUT', `auth/grant/${client.id}`, { scope: 'openid' })
      const response = await browser.request(`${authorizationUrl}&g_continue`)
      return response.headers.get('location') ?? ''
    },
    stop,
  }
}

/** The plugin that makes it a provider, which requires PKCE and can end sessions. */
function openIdConnect(issuer: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OpenID Connect',
    parameters: {
      iss: issuer,
      'jwt-type': 'rsa',
      'jwt-key-size': '256',
      key: privateKey,
      cert: publicKey,
      'jwks-show': true,
      'access-token-duration': 3_600,
      'refresh-token-duration': 3_600,
      'code-duration': 600,
      'auth-type-code-enabled': true,
      'pkce-allowed': true,
      'pkce-required': true,
      'oauth-as-iss-id': true,
      'name-claim': 'mandatory',
      'email-claim': 'mandatory',
      claims: [{ name: 'groups', 'user-property': 'groups', type: 'string', mandatory: true }],
      'allowed-scope': ['openid'],
      'session-management-allowed': true,
      'session-cookie-name': 'OIDC_SID',
      'session-cookie-expiration': 3_600,
    },
  }
}
