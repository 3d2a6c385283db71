/**
 * The production build on the real nginx and the real Caddy, as deploy/ sets them up. `npm run test:deploy`, after
 * `DEMO_VALUES=1 npm run build`. A server that is not installed is left out, and the test says so.
 */
import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.e2e.ts',
  outputDir: resolve(import.meta.dirname, '../../test-results/deploy'),
  timeout: 240_000,
  expect: { timeout: 20_000 },
  workers: 1,
  retries: process.env['CI'] ? 1 : 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  use: { locale: 'ja-JP', timezoneId: 'Asia/Tokyo', viewport: { width: 390, height: 844 } },
})
