/** Said by the page's script when it begins to take over the page's events, and when the page answers them. */
export const takeover = { begins: 'takeover-begins', ends: 'takeover-ends' } as const
