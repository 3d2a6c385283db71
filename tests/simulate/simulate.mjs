/**
 * Node 20 does not read TypeScript: the simulation is bundled once, then run with the arguments given. `--pull` runs the
 * pulling half; `--executed` both, and says what of `sync/` they executed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'rolldown'
import { printExecuted } from './executed.mjs'
import { buildPull, out as pullOut } from './pull/build.mjs'

const root = resolve(import.meta.dirname, '../..')
const out = join(root, 'node_modules/.cache/simulate')

const buildSending = () =>
  build({
    cwd: root,
    input: 'tests/simulate/main.ts',
    platform: 'node',
    logLevel: 'warn',
    output: { dir: out, entryFileNames: 'main.mjs', chunkFileNames: '[name].mjs', sourcemap: true },
  })

function run(dir, args, env = {}) {
  const all = ['--enable-source-maps', join(dir, 'main.mjs'), ...args]
  const { status } = spawnSync(process.execPath, all, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return status ?? 1
}

async function executed(args) {
  await Promise.all([buildSending(), buildPull()])
  const dir = mkdtempSync(join(tmpdir(), 'simulate-'))
  const env = { NODE_V8_COVERAGE: dir }
  const ends = [run(out, args, env), run(pullOut, args, env)]
  printExecuted(root, dir, [out, pullOut])
  rmSync(dir, { recursive: true })
  return Math.max(...ends)
}

const args = process.argv.slice(2)
const without = (name) => args.filter((arg) => arg !== name)
if (args.includes('--executed')) process.exitCode = await executed(without('--executed'))
else if (args.includes('--pull')) {
  await buildPull({ withPlants: args.includes('--defects') })
  process.exitCode = run(pullOut, without('--pull'))
} else {
  await buildSending()
  process.exitCode = run(out, args)
}
