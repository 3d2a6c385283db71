/**
 * The servers of the browser tests, in one process that loads the build's settings once: from a port on one for each
 * worker, with a demo CRM of its own, and at a third port the demo as visitors get it.
 *
 *     node tests/e2e/servers.mjs 4174 2 4177
 */
import { resolve } from 'node:path'
import { preview } from 'vite'

const [port = 0, workers = 0, demoPort = 0] = process.argv.slice(2).map(Number)

const serve = (at, more = {}) =>
  preview({
    root: resolve(import.meta.dirname, '../..'),
    ...more,
    preview: { host: 'localhost', port: at, strictPort: true },
  })

await serve(demoPort, { mode: 'demo', build: { outDir: 'dist-demo' } })
process.env.DEMO_CRM = '1'
for (let at = port; at < port + workers; at += 1) await serve(at)
