/** Node 20 does not read TypeScript: the reader of sealed bundles is bundled, then run with bundle and key. */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { build } from 'rolldown'

const root = resolve(import.meta.dirname, '../..')
const out = join(root, 'node_modules/.cache/recover')

await build({
  cwd: root,
  input: 'tests/recover/main.ts',
  platform: 'node',
  logLevel: 'warn',
  output: { dir: out, entryFileNames: 'main.mjs', chunkFileNames: '[name].mjs' },
})
const { status } = spawnSync(process.execPath, [join(out, 'main.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
