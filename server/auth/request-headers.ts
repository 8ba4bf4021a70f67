/**
 * Header with the client's address for better-auth's rate limiter. The server overwrites a header of this name that a
 * client sends.
 */
export const clientAddressHeader = 'x-rangoli-client-address'

/** Header with the language of a request, a BCP 47 tag. Overwritten by the server likewise. */
export const languageHeader = 'x-rangoli-language'
