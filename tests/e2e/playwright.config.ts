/**
 * End-to-end tests: the production build, served by `vite preview` with the demo CRM beside it (DEMO_CRM=1),
 * in Chromium at the size of a phone. Run `npm run build` first; `npm test` does.
 */
import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumArgs, chromiumPath, fakeCamera } from '../support/chromium.ts'

const root = resolve(import.meta.dirname, '../..')
/** `E2E_PORT` lets two runs go side by side on one machine. */
const port = Number(process.env['E2E_PORT'] ?? 4174)
/** The demo as visitors get it, with the demo CRM inside the page. */
const demoPort = port + 3
/** As many as the smallest machine that runs this has cores: with three, tests ran into their time limits. */
const workers = 2
/** Each worker has a demo CRM of its own: a test begins by resetting it. A worker reads this file, too. */
const ownPort = port + Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.e2e.ts',
  // what seldom finds more than the others do: `npm run test:slow`
  ...(!process.env['SLOW'] && { grepInvert: /@slow\b/ }),
  outputDir: resolve(root, 'test-results/e2e'),
  // several at a time on a slow machine
  timeout: 180_000,
  // a loaded machine is slow, not wrong
  expect: { timeout: 15_000 },
  workers,
  retries: process.env['CI'] ? 2 : 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: resolve(root, 'test-results/e2e.json') }]],
  webServer: {
    command: `node tests/e2e/servers.mjs ${port} ${workers} ${demoPort}`,
    cwd: root,
    // with two weeks of requests a phone is busy for half a minute before it is ready
    env: { DEMO_CRM_DAYS: '2' },
    // the last that begins
    url: `http://localhost:${port + workers - 1}/`,
    reuseExistingServer: false,
    timeout: 60_000,
  },
  use: {
    baseURL: `http://localhost:${ownPort}`,
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    // a trace of each test slows all of them: `--trace retain-on-failure` has one
    trace: process.env['CI'] ? 'on-first-retry' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: await chromiumPath(), args: [...chromiumArgs, ...fakeCamera] },
  },
})
