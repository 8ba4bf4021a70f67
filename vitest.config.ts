import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  plugins: [react()],
  test: {
    // `npm run test:long`: the runs that take long take their full length.
    env: mode === 'long' ? { RANGOLI_LONG: '1' } : {},
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,shared,src,test}/**/*.test.{ts,tsx}'],
          environment: 'node',
          // Nothing is kept in modules between tests, and loading them anew for each file takes most of the time.
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          // After the others: it has the machine to itself.
          sequence: { groupOrder: 1 },
          include: ['e2e/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['e2e/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
}))
