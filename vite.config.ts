import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { checkMessages, messages } from './server/launch/messages.mjs'
import { serverExternals } from './server/launch/pack.mjs'
import { defineVersion } from './server/launch/version.mjs'

/** Two builds of one source: the client for browsers, and the server with all but its native parts in it. */
export default defineConfig(({ command }) => ({
  plugins: [messages(), checkMessages(), react()],
  appType: 'custom',
  // Also for the server, which runs with no NODE_ENV at all: React's development build is several times slower.
  define: { ...defineVersion, ...(command === 'build' && { 'process.env.NODE_ENV': '"production"' }) },
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
          checks: { pluginTimings: false },
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
