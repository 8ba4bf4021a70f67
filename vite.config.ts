import { createHash } from 'node:crypto'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { messages } from './server/launch/messages.mjs'
import { serverExternals } from './server/launch/pack.mjs'
import { defineVersion } from './server/launch/version.mjs'

/** Chunks of libraries that every page needs. Each runs as a task of its own, of the length that a slow phone takes in a frame or two. */
const groups = [
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\/|src\/browser\/hydrate-root\.ts$/ },
  {
    name: 'data',
    tags: ['$initial' as const],
    test: /node_modules\/(?:@trpc|@tanstack|@lingui|wouter|regexparam)\//,
  },
  // With all that it imports. Split by the pages that share it, it would be fifteen files, and larger.
  { name: 'site', test: /src\/main\.tsx$/ },
  // What a post shares with most other pages, and the rest of it. No module of a page may be in a group.
  {
    name: 'parts',
    test: /src\/(?:ui\/(?:copy|relative-time|wrapped-text)|features\/auth\/call-failure|api\/(?:missing|post-changes))\.tsx?$/,
  },
  // What pages and dialogs of users share.
  {
    name: 'forms',
    test: /(?:src\/(?:ui\/(?:entry-list|form|one-time-text|post-options|sentence)|features\/auth\/signed-in-only)|shared\/(?:account|images|text-length|moderation))\.tsx?$/,
  },
  { name: 'post', test: /src\/features\/post\/post-view\.tsx$/ },
]

/** Members of the objects of tRPC's hooks and utilities that no page uses. */
const unusedMembers =
  /^(\t+)(?:use(?:Prefetch|Subscription|Suspense|Mutation|Infinite|Queries)\w*(?:: [\w$]+)?,?|(?:infiniteQueryOptions|queryOptions|fetchInfinite|prefetch|[gs]etMutation|setInfinite|getData|getQueryData)\w*: \(.*\) => (?:.*[^{\n]|\{$[^]*?^\1\},?))$/gm

/** Removes what no page uses of tRPC, but a build would keep: members of objects, and the WebSocket client, for a static field. */
const withoutUnused: Plugin = {
  name: 'without-unused',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /@trpc\/[\w-]+\/dist\// },
    handler: (code) =>
      code.replaceAll(unusedMembers, '').replace(/_defineProperty\(WsConnection, "connectCount", \d+\);/, ''),
  },
}

/** Gives the link of subscriptions a copy of tRPC's client: its part of one that the entry shares would be in the entry. */
const ownSubscriptions: Plugin = {
  name: 'own-subscriptions',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^@trpc\/client$/ },
    async handler(source, importer) {
      const resolved = importer?.endsWith('/subscription-link.ts')
        ? await this.resolve(source, importer)
        : null
      return resolved && { ...resolved, id: `${resolved.id}?subscriptions` }
    },
  },
}

/** Puts names of classes where they are used, as the object of a sheet has all of them. The sheet stays, although its module is empty then. */
const classesInPlace: Plugin = {
  name: 'classes-in-place',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/.*\.(?:tsx?|module\.css)$/ },
    handler: (code, id) =>
      id.endsWith('.css')
        ? { code, moduleSideEffects: 'no-treeshake' }
        : code.replaceAll(/import (\w+) from (?=['"].*\.module\.css['"])/g, (statement, name: string) =>
            new RegExp(`\\b${name}\\[[^'"]`).test(code) ? statement : `import * as ${name} from `,
          ),
  },
}

/** Names a class by its module alone: without line numbers, as by default, which do not compress. */
function scopedName(name: string, file: string): string {
  const source = path.relative(import.meta.dirname, file).replaceAll(path.sep, '/')
  return `${name}_${createHash('sha256').update(source).digest('base64url').slice(0, 4)}`
}

/** Two builds of one source: the client for browsers, and the server with all but its native parts in it. */
export default defineConfig(({ command }) => ({
  plugins: [messages(), react(), withoutUnused, ownSubscriptions, classesInPlace],
  appType: 'custom',
  // Also for the server, which runs with no NODE_ENV at all: React's development build is several times slower.
  define: { ...defineVersion, ...(command === 'build' && { 'process.env.NODE_ENV': '"production"' }) },
  // wouter's shim of a hook that React has had since version 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  css: { modules: { generateScopedName: scopedName } },
  build: {
    // What the entry has loaded needs no place in its list of what other chunks need.
    modulePreload: {
      resolveDependencies: (_, dependencies) =>
        dependencies.filter((file) => !/^assets\/(?:rolldown-runtime|react|data|main)-/.test(file)),
    },
  },
  server: {
    fs: { deny: ['.env', '.env.*', '**/.git/**', '**/data/**', '**/uploads/**'] },
    watch: { ignored: ['**/data/**', '**/uploads/**', '**/dist/**'] },
  },
  environments: {
    client: {
      build: {
        manifest: true,
        rollupOptions: {
          input: 'src/main.tsx',
          output: { codeSplitting: { groups } },
          checks: { pluginTimings: false },
          optimization: { inlineConst: { mode: 'all' } },
        },
      },
    },
    ssr: {
      resolve: command === 'build' ? { noExternal: true, external: serverExternals } : {},
      build: { copyPublicDir: false, target: 'node20', rollupOptions: { input: 'server/main.ts' } },
    },
    // One file beside those of the client, as all browsers support service workers without imports only.
    ...(command === 'build' && {
      serviceWorker: {
        consumer: 'client' as const,
        build: {
          copyPublicDir: false,
          emptyOutDir: false,
          rollupOptions: {
            input: 'src/service-worker/service-worker.ts',
            output: { format: 'iife' as const, entryFileNames: 'service-worker.js' },
          },
        },
      },
    }),
  },
}))
