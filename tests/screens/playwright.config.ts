/**
 * `npm run pictures`: every screen and popup of the demo as a PNG in `pictures/`, on a phone in light and dark, and on a
 * wide screen; `--project outdoor`, `small`, `small-outdoor`, `zoom` and `landscape` for the others. What is taken stands in `screens.ts`.
 */
import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumArgs, chromiumPath, fakeCamera } from '../support/chromium.ts'

const root = resolve(import.meta.dirname, '../..')
const port = Number(process.env['PICTURES_PORT'] ?? 4178)
/** The smallest phone. */
const small = { width: 320, height: 640 }
/** What is left of a phone at 200 %. */
const zoomed = { width: 195, height: 422 }
const phone = { width: 390, height: 844 }

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: 'take-pictures.ts',
  outputDir: resolve(root, 'test-results/pictures'),
  timeout: 15 * 60_000,
  workers: 1,
  // a loaded machine is slow, not wrong
  expect: { timeout: 30_000 },
  reporter: 'list',
  webServer: {
    command: `npx vite preview --mode demo --outDir dist-demo --host localhost --port ${port} --strictPort`,
    cwd: root,
    url: `http://localhost:${port}/`,
    timeout: 30_000,
  },
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
    deviceScaleFactor: 2,
    actionTimeout: 10_000,
    launchOptions: {
      executablePath: await chromiumPath(),
      args: [...chromiumArgs, ...fakeCamera],
      // dates and times are typed as in Japan
      env: { ...process.env, LANGUAGE: 'ja' },
    },
  },
  projects: [
    { name: 'light', metadata: { theme: 'light' }, use: { viewport: phone, hasTouch: true } },
    { name: 'dark', metadata: { theme: 'dark' }, use: { viewport: phone, hasTouch: true } },
    { name: 'outdoor', metadata: { theme: 'outdoor' }, use: { viewport: phone, hasTouch: true } },
    { name: 'small', metadata: { theme: 'light' }, use: { viewport: small, hasTouch: true } },
    { name: 'small-outdoor', metadata: { theme: 'outdoor' }, use: { viewport: small, hasTouch: true } },
    { name: 'zoom', metadata: { theme: 'light' }, use: { viewport: zoomed, hasTouch: true } },
    {
      name: 'landscape',
      metadata: { theme: 'light' },
      use: { viewport: { width: 844, height: 390 }, hasTouch: true },
    },
    { name: 'wide', metadata: { theme: 'light' }, use: { viewport: { width: 1280, height: 800 } } },
  ],
})
