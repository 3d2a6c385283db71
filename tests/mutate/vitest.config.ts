/** The tests that `npm run mutate` runs over one file's mutants: `mutate.mjs` names them. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    setupFiles: ['temporal-polyfill/global'],
    environment: 'node',
    testTimeout: 20_000,
    include: process.env['MUTATE_TESTS']?.split(',') ?? [],
  },
})
