/** Node 20 does not read TypeScript: the conformance test is bundled once, then run with the arguments given. */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { build } from 'rolldown'

const root = resolve(import.meta.dirname, '../..')
const out = join(root, 'node_modules/.cache/conform')

await build({
  cwd: root,
  input: 'tests/conform/main.ts',
  platform: 'node',
  logLevel: 'warn',
  output: { dir: out, entryFileNames: 'main.mjs', chunkFileNames: '[name].mjs', sourcemap: true },
})
const all = ['--enable-source-maps', join(out, 'main.mjs'), ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, all, { stdio: 'inherit' })
process.exitCode = status ?? 1
