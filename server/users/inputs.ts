import { z } from 'zod'
import { apiKeyLifetimes, apiKeyScopes } from '../../shared/account.ts'
import { nameLimit } from '../../shared/limits.ts'
import { id, text, visibility } from '../procedures/inputs.ts'

export const accountSettingsInput = z
  .object({ defaultVisibility: visibility, mailNotices: z.boolean('`mailNotices` must be true or false.') })
  .partial()

/** Creates the schema of a name. @param missing message for an empty one */
function requiredName(missing: string) {
  return text('name', nameLimit).refine((value) => value !== '', missing)
}

const lifetimes = apiKeyLifetimes.slice(0, -1).join(', ')
const lifetimeSentence = `The field expiresInDays must be ${lifetimes} or ${apiKeyLifetimes.at(-1)}, or null for a key that does not expire.`

const scopesSentence = `The scopes must be a list of ${apiKeyScopes.join(', ')}, with at least one of them.`

export const createApiKeyInput = z.object({
  name: requiredName('Please give the API key a name.'),
  expiresInDays: z.literal(apiKeyLifetimes, lifetimeSentence).nullable().default(null),
  scopes: z
    .array(z.enum(apiKeyScopes, scopesSentence), scopesSentence)
    .min(1, scopesSentence)
    .transform((scopes) => apiKeyScopes.filter((scope) => scopes.includes(scope)))
    .optional(),
})

export const renamePasskeyInput = z.object({ id, name: requiredName('Please give the passkey a name.') })
