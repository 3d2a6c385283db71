/**
 * `npm run test:webkit` as one of the browser tests, the first one by its name: it is the longest, and leaves to the other
 * worker what it does not need.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { webkitMissing } from '../support/webkit.mjs'

const missing = webkitMissing()

test('[SV1][SV2][OR1] a day in WebKit, and two tabs of it', async () => {
  test.skip(missing !== undefined, missing)
  test.setTimeout(400_000)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'webkit.mjs')])
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => process.stdout.write(data))
  const code = new Promise((done) => child.once('close', done))
  try {
    expect(await code, 'what failed is said above').toBe(0)
  } finally {
    child.kill()
  }
})
