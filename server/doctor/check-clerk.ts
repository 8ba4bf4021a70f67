import { patience, readKeySet } from '../auth/clerk/signing-keys.ts'
import type { ClerkAuthConfig } from '../config/auth-section.ts'
import { count } from './amounts.ts'
import { note, ok, problem, type Finding } from './finding.ts'
import { askPolitely } from './ask-politely.ts'

/** Where Clerk is asked. */
export interface ClerkOrigins {
  /** Of its backend API. */
  readonly backend: string
  /** Of the instance's frontend API; null: the one that the publishable key names. */
  readonly frontend: string | null
}

export const realClerk: ClerkOrigins = { backend: 'https://api.clerk.com', frontend: null }

/** The signing keys of an instance, or what to say where they are not to be had. */
type Keys = { readonly pems: readonly string[] } | { readonly finding: Finding }

/** Sign-in at Clerk: whether its keys are good, and all of one instance. Asks Clerk twice, and changes nothing there. */
export async function checkClerk(auth: ClerkAuthConfig, origins: ClerkOrigins): Promise<Finding[]> {
  const [ofSecretKey, ofPublishableKey] = await Promise.all([
    askBackend(auth.secretKey, origins.backend),
    askFrontend(origins.frontend ?? `https://${auth.frontendApi}`),
  ])
  return [
    ok(`Accounts are kept at Clerk, in the instance ${auth.frontendApi}.`),
    ...(auth.publishableKey.startsWith('pk_test_')
      ? [
          note(
            'The keys are of a development instance.',
            'For a public site, use those that begin with pk_live_ and sk_live_.',
          ),
        ]
      : []),
    ...('finding' in ofPublishableKey ? [ofPublishableKey.finding] : [ok('Its frontend API answers.')]),
    'finding' in ofSecretKey ? ofSecretKey.finding : compareInstances(ofSecretKey.pems, ofPublishableKey),
    checkJwtKey(auth.jwtKey, [ofSecretKey, ofPublishableKey]),
    auth.webhookSecret === null
      ? note(
          'CLERK_WEBHOOK_SIGNING_SECRET is not set: what people shared stays when they delete their account at Clerk.',
          'Make a webhook in the dashboard; README.md says how.',
        )
      : ok('CLERK_WEBHOOK_SIGNING_SECRET is set.'),
    auth.administrators.length === 0
      ? note('CLERK_ADMINISTRATORS is not set: nobody can hide or delete what others post.')
      : ok(`CLERK_ADMINISTRATORS names ${count(auth.administrators.length, 'person', 'people')}.`),
  ]
}

/** By plain fetch, as Clerk's SDK waits for an answer as long as it takes. */
async function askBackend(secretKey: string, origin: string): Promise<Keys> {
  const headers = { authorization: `Bearer ${secretKey}`, 'user-agent': 'Rangoli' }
  const answer = await askPolitely(`${origin}/v1/jwks`, patience, headers)
  if ('fault' in answer) {
    return {
      finding: note(`CLERK_SECRET_KEY is not verified: ${origin} can't be reached (${answer.fault}).`),
    }
  }
  if (answer.status === 401 || answer.status === 403) {
    return {
      finding: problem(
        `Clerk refuses CLERK_SECRET_KEY (${answer.status}).`,
        'Copy the one that starts with sk_ from the Clerk dashboard again.',
      ),
    }
  }
  const pems = pemsOf(answer)
  if (pems) return { pems }
  return {
    finding: note(`CLERK_SECRET_KEY is not verified: Clerk answered ${answer.status}.`, 'Try again later.'),
  }
}

async function askFrontend(origin: string): Promise<Keys> {
  const answer = await askPolitely(`${origin}/.well-known/jwks.json`, patience)
  if ('fault' in answer) {
    return { finding: note(`The frontend API ${origin} can't be reached from here (${answer.fault}).`) }
  }
  const pems = pemsOf(answer)
  if (pems) return { pems }
  return {
    finding: problem(
      `The frontend API that CLERK_PUBLISHABLE_KEY names, ${origin}, gives no keys (it answered ${answer.status}).`,
      'Copy the key from the Clerk dashboard again, and see that its domain is set up.',
    ),
  }
}

function pemsOf({ status, body }: { status: number; body: unknown }): string[] | null {
  if (status !== 200) return null
  try {
    return [...readKeySet(body).values()]
  } catch {
    return null
  }
}

function compareInstances(pems: readonly string[], published: Keys): Finding {
  if ('finding' in published || published.pems.some((pem) => pems.includes(pem))) {
    return ok('Clerk takes CLERK_SECRET_KEY.')
  }
  return problem(
    'CLERK_SECRET_KEY is of another instance than CLERK_PUBLISHABLE_KEY.',
    'Copy both from the same one in the Clerk dashboard.',
  )
}

function checkJwtKey(jwtKey: string | null, answers: readonly Keys[]): Finding {
  if (jwtKey === null) {
    return note(
      'CLERK_JWT_KEY is not set: the server fetches the key from Clerk, so that nobody can sign in while it has none.',
    )
  }
  // The frontend API is the one that signs; the other answer stands in where it is not to be had.
  const known = answers.toReversed().find((answer) => 'pems' in answer)
  if (!known || !('pems' in known))
    return note('CLERK_JWT_KEY is a key, but Clerk could not be asked whether it is its own.')
  return known.pems.includes(jwtKey)
    ? ok('CLERK_JWT_KEY is the key of the instance.')
    : problem(
        'CLERK_JWT_KEY is not the key of the instance: nobody can sign in.',
        'Copy it from the Clerk dashboard again.',
      )
}
