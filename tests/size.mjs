/**
 * `npm run size`: what a first visit fetches until the first row of its list can be tapped, as Chromium asks for it of the
 * production build (`first-visit.mjs`), and what must hold of the files themselves. `--files` names the files.
 *
 * Also looks into every script in dist for what must never ship: RxDB's dev-mode and validators, the demo CRM.
 * Sizes in kB of 1000 bytes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runnerImport } from 'vite'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { firstVisit } from './first-visit.mjs'

const root = resolve(import.meta.dirname, '..')
const args = process.argv.slice(2)
const asJson = args.includes('--json')
const dist = resolve(root, args.find((each) => !each.startsWith('-')) ?? 'dist')
/** Of what a first visit fetches, brotli; `page` alone has to fit into the first packets of a host. js and css: gzip. */
const limits = { transfer: 410, files: 30, page: 14, js: 317, css: 15 }
/** Chunks that no start waits for (.build/chunks.ts). */
const LATER = ['later', 'arktype', 'rules', 'forms']
/** A busy machine loads before the row what a phone loads after it: the smallest of these visits counts. */
const VISITS = 3

/** Texts that survive minification, and where each must be found today: a marker that is gone checks nothing. */
const forbidden = [
  {
    what: "RxDB's dev-mode",
    marker: 'RxDB dev-mode warning',
    source: 'node_modules/rxdb/dist/esm/plugins/dev-mode/index.js',
  },
  {
    what: 'the z-schema validator',
    marker: 'pass validation for format',
    source: 'node_modules/z-schema/dist/errors.js',
  },
  { what: 'the ajv validator', marker: 'ajv implementation error', source: 'node_modules/ajv/dist/core.js' },
  { what: 'the demo CRM', marker: 'demo-crm-marker', source: 'src/demo-crm' },
  { what: "the demo's texts", marker: 'デモ', source: 'src/app/demo/demo-control.tsx' },
  { what: "the demo's users", marker: 'demo6', source: 'src/features/session/demo-users.tsx' },
]

const problems = []
const found = {}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function check(kind, value, text) {
  found[kind] = { value, limit: limits[kind] }
  console.log(`${text.padStart(10)}  ${kind}, limit ${limits[kind]}`)
  if (value > limits[kind]) problems.push(`a first visit: ${kind} ${text}, the limit is ${limits[kind]}`)
}

async function reportFirstVisit() {
  const { module: browser } = await runnerImport(join(root, 'tests/support/chromium.ts'))
  const launch = { executablePath: await browser.chromiumPath(), args: browser.chromiumArgs }
  const isIn = (visit) => visit.kilobytes <= limits.transfer && visit.names.length <= limits.files
  const visits = []
  while (visits.length < VISITS && !visits.some(isIn))
    visits.push(await firstVisit(dist, { launch, runnerImport }))
  const [{ names, kilobytes, worker }] = visits.toSorted((a, b) => a.kilobytes - b.kilobytes)
  console.log('A first visit, until its first row can be tapped, brotli:')
  check('files', names.length, String(names.length))
  check('transfer', kilobytes, `${kilobytes.toFixed(1)} kB`)
  const page = brotliCompressSync(readFileSync(join(dist, 'index.html'))).length / 1_000
  check('page', page, `${page.toFixed(1)} kB`)
  console.log(
    `The service worker's own copy of the app: ${worker.kilobytes.toFixed(1)} kB in ${worker.names.length} files`,
  )
  if (args.includes('--files')) console.log(names.toSorted().join('\n'))
  reportFirstScreen(names)
}

/** Gzip, for comparison with other apps: the scripts of the entry, and the style sheet in the page. */
function reportFirstScreen(names) {
  const gzip = (text) => gzipSync(text, { level: 9 }).length / 1_000
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  for (const name of LATER)
    if (html.includes(`/assets/${name}-`))
      problems.push(`the page begins with ${name}: it belongs to what comes later`)
  const first = names.filter((name) => html.includes(`"/${name}"`) && name.endsWith('.js'))
  const js = first.reduce((sum, name) => sum + gzip(readFileSync(join(dist, name))), 0)
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text).join('')
  if (styles.length < 10_000) problems.push('index.html holds no style sheet')
  for (const [kind, value] of Object.entries({ js, css: gzip(styles) })) {
    found[kind] = { value, limit: limits[kind] }
    console.log(
      `${value.toFixed(1).padStart(7)} kB  ${kind} of the first screen, gzip, limit ${limits[kind]}`,
    )
    if (value > limits[kind]) problems.push(`the first screen needs ${value.toFixed(1)} kB of ${kind}`)
  }
}

/** No screen waits for ArkType, which takes 300 ms of a slow phone (decisions/speed); the lock screen not for forms either. */
function checkScreens() {
  const manifest = JSON.parse(readFileSync(`${dist}-about/manifest.json`, 'utf8'))
  const waitsFor = (key, seen = new Set()) => {
    if (seen.has(key)) return seen
    seen.add(key)
    for (const each of manifest[key].imports ?? []) waitsFor(each, seen)
    return seen
  }
  const screens = Object.keys(manifest).filter((key) => /^src\/routes\/|\/lock-screen\./.test(key))
  const locks = screens.filter((key) => key.includes('/lock-screen.'))
  if (screens.length < 20 || locks.length !== 1)
    problems.push('the screens are not in the manifest: nothing is checked')
  for (const key of screens)
    for (const chunk of waitsFor(key))
      if (/^_(?:arktype|rules)-/.test(chunk) || (locks.includes(key) && chunk.startsWith('_forms-')))
        problems.push(`${key} waits for ${chunk}`)
}

/** A host sends the compressed file that lies beside another: a larger one goes out as it is, an old one as it was. */
function checkPacked() {
  const texts = filesIn(dist).filter((file) => /\.(?:js|css|html|svg|webmanifest)$/.test(file))
  for (const file of texts) {
    const text = readFileSync(file)
    const packed = existsSync(`${file}.br`) && brotliDecompressSync(readFileSync(`${file}.br`))
    if (text.length > 1024 && !(packed && text.equals(packed)))
      problems.push(`${file.slice(dist.length + 1)} goes out as it is: no .br of it lies beside it`)
  }
}

function checkForbidden() {
  const scripts = filesIn(dist).filter((file) => file.endsWith('.js'))
  const texts = scripts.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  for (const { what, marker, source } of forbidden) {
    const path = join(root, source)
    const sources = /\.\w+$/.test(source) ? [path].filter((file) => existsSync(file)) : filesIn(path)
    if (!sources.some((file) => readFileSync(file, 'utf8').includes(marker))) {
      problems.push(`"${marker}" is not in ${source} any more: the check for ${what} is blind`)
    }
    for (const { file, text } of texts) {
      if (text.includes(marker)) problems.push(`${what} is in ${file.slice(dist.length + 1)}`)
    }
  }
  const strays = filesIn(dist).filter((file) => /\.map$|[/\\]\.vite[/\\]/.test(file))
  for (const file of strays) problems.push(`${file.slice(dist.length + 1)} is not for visitors`)
  console.log(`looked for ${forbidden.map(({ what }) => what).join(', ')} in ${scripts.length} scripts`)
}

if (existsSync(join(dist, 'index.html'))) {
  await reportFirstVisit()
  checkScreens()
  checkPacked()
  checkForbidden()
} else {
  problems.push(`${dist} does not exist: run npm run build first`)
}
for (const problem of problems) console.log(`SIZE: ${problem}`)
if (problems.length > 0) process.exitCode = 1
if (asJson) console.log(JSON.stringify(found))
