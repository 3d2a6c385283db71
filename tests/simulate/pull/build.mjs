/**
 * Bundles the page, and what drives it. The page becomes a function of its globals, so that each tab has modules, timers
 * and clocks of its own. In the build with plants every defect of `plants.mjs` is in the code, and one of them is switched on.
 */
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { build } from 'rolldown'
import { plants } from './plants.mjs'

const root = resolve(import.meta.dirname, '../../..')
export const out = join(root, 'node_modules/.cache/simulate-pull')

const GLOBALS = [
  'Date',
  'performance',
  'setTimeout',
  'setInterval',
  'clearTimeout',
  'clearInterval',
  'crypto',
]
/** Pages of a search are short, so that a small CRM has several. */
const PAGE_SIZE = 'export const PAGE_SIZE = 50'
const CLOCK = 'rxdb/dist/esm/plugins/utils/utils-time.js'

/** A statement of its own, on the line after another one: a bracket there would call what stands before it. */
const isStatement = (text, from) =>
  /[)\]}\w'"`]\s*\n(\s*\/\/.*\n)*\s*$/.test(text.slice(0, text.indexOf(from)))

/** @returns the text with one part replaced @throws where it is not there exactly once */
function replaced(text, from, to, what) {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`${what}: ${parts.length - 1} times in its file: ${from}`)
  return parts.join(to)
}

/** @returns the code of a file with each of its defects beside the code that it replaces */
export function withDefects(code, path) {
  let text = code
  for (const { name, file, from, to } of plants) {
    if (path !== file) continue
    const either = `(__plant.name === ${JSON.stringify(name)} ? (${to}) : (${from}))`
    text = replaced(text, from, isStatement(text, from) ? `;${either}` : either, name)
  }
  return text
}

const planting = (withPlants) => ({
  name: 'page',
  transform(code, id) {
    const path = relative(root, id)
    let text = code
    if (path === 'schemas/limits.ts') text = replaced(text, PAGE_SIZE, 'export const PAGE_SIZE = 6', 'pages')
    // its module keeps the last time that it gave
    if (id.endsWith(CLOCK)) text += '\n__resets.push(() => { _lastNowMs = 0; _lastNowSub = 0 })'
    if (withPlants) text = withDefects(text, path)
    return text === code ? null : { code: text, map: null }
  },
})

const page = (withPlants) =>
  build({
    cwd: root,
    input: 'tests/simulate/pull/page.ts',
    platform: 'browser',
    logLevel: 'warn',
    plugins: [planting(withPlants)],
    output: {
      dir: out,
      format: 'iife',
      minify: false,
      name: 'Page',
      entryFileNames: withPlants ? 'page-planted.js' : 'page.js',
      sourcemap: true,
      banner: `(function ({ ${GLOBALS.join(', ')}, __plant }) { const __resets = [];`,
      footer: 'return { ...Page, reset: () => __resets.forEach((run) => run()) } })',
    },
  })

export async function buildPull({ withPlants = false } = {}) {
  for (const { file } of plants) readFileSync(join(root, file))
  await page(false)
  if (withPlants) await page(true)
  await build({
    cwd: root,
    input: { main: 'tests/simulate/pull/main.ts', engine: 'tests/simulate/pull/engine.ts' },
    platform: 'node',
    logLevel: 'warn',
    output: { dir: out, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs', sourcemap: true },
  })
}
