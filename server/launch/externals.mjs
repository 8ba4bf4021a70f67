/**
 * What is not bundled into the server: better-sqlite3 and sharp are native, and pino finds its own parts on disk. Whoever
 * runs the build elsewhere needs these packages beside it, and no others.
 */
export const serverExternals = ['better-sqlite3', 'pino', 'sharp']
