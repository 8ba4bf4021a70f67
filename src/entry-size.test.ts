import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { messages } from '../server/launch/messages.mjs'

/** Maximum size of the entry with its libraries, relative to the libraries alone. */
const maxSizeRatio = 1.275

/** The libraries' exports that the gallery needs. */
const libraries = `
export { StrictMode, useEffect, useState } from 'react'
export { hydrateRoot } from 'react-dom/client'
export { setupI18n } from '@lingui/core'
export { I18nProvider, Trans, useLingui } from '@lingui/react'
export { keepPreviousData, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
export { httpBatchStreamLink, httpLink, httpSubscriptionLink, retryLink, splitLink, TRPCClientError } from '@trpc/client'
export { createTRPCReact, getQueryKey } from '@trpc/react-query'
export { Link, Router, useLocation, useRouter } from 'wouter'
`

// Vite builds by it, and tests have another value.
beforeAll(() => vi.stubEnv('NODE_ENV', 'production'))
afterAll(() => vi.unstubAllEnvs())

/** Bundles an entry as the build does. Returns the gzip size of the entry with its static imports, in bytes. */
async function sizeOf(input: string, source?: string): Promise<number> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      messages(),
      react(),
      {
        name: 'entry-in-memory',
        resolveId: (id) => (id === input && source !== undefined ? id : null),
        load: (id) => (id === input && source !== undefined ? source : null),
      },
    ],
    build: {
      write: false,
      rollupOptions: { input, ...(source !== undefined && { preserveEntrySignatures: 'strict' }) },
    },
  })
  const { output: files } = output as Rolldown.RolldownOutput
  const chunks = new Map(
    files.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  )
  const loaded = new Set<string>()
  function load(fileName: string) {
    if (loaded.has(fileName)) return
    loaded.add(fileName)
    for (const imported of chunks.get(fileName)?.imports ?? []) load(imported)
  }
  for (const chunk of chunks.values()) if (chunk.isEntry) load(chunk.fileName)
  return [...loaded].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '').byteLength, 0)
}

test('the entry adds little to the size of its libraries', { timeout: 60_000 }, async () => {
  const alone = await sizeOf('/libraries.ts', libraries)
  const entry = await sizeOf('src/main.tsx')
  expect(alone).toBeGreaterThan(50_000)
  expect(entry / alone).toBeGreaterThan(1)
  expect(entry / alone).toBeLessThanOrEqual(maxSizeRatio)
})
