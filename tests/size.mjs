/**
 * `npm run size`: what the first screen costs, from Vite's manifest of the production build (dist-about).
 *
 *   entry + the chunks of /login, or of /request (and of the layouts above) + everything they import statically
 *
 * And what a first visit transfers until its first row can be tapped, as Chromium asks for it, brotli (`first-visit.mjs`,
 * decision 0087); `--files` names the files.
 *
 * Also looks into every script in dist for what must never ship: RxDB's dev-mode and validators, the demo CRM.
 * Gzip sizes in kB of 1000 bytes, as Vite prints them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runnerImport } from 'vite'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { firstVisit } from './first-visit.mjs'
import { chunkOf, graphProblems, moreForScreen, withStaticImports } from './size-graph.mjs'

const root = resolve(import.meta.dirname, '..')
const args = process.argv.slice(2)
const asJson = args.includes('--json')
const dist = resolve(root, args.find((each) => !each.startsWith('-')) ?? 'dist')
/** What is loaded beside the list comes before its first row, or after it: two visits differ by 4 files and 15 kB. */
const limits = { js: 152, css: 15, files: 62, transfer: 490, page: 14, screen: 16 }
/** A busy machine loads before the row what a phone loads after it: the smallest of these visits counts. */
const VISITS = 3
const firstScreens = ['/login', '/request']

/** Chunks that the browser compiles whole while they come (decision 0094). */
const compiledWhole = ['routes', 'first', 'login', 'list', 'days', 'network', 'device', 'rows']

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
  { what: "the demo's texts", marker: 'デモ', source: 'src/ui/demo-panel.tsx' },
  { what: "the demo's users", marker: 'demo6', source: 'src/features/session/demo-users.tsx' },
]

const problems = []
/** Of each kind, what the larger of the first screens needs. */
const worst = {}
const sizes = new Map()

/** Gzip size in kB. */
function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000)
  return sizes.get(file)
}

const kb = (value) => `${value.toFixed(1).padStart(7)} kB`
const total = (files) => [...files].reduce((sum, file) => sum + size(file), 0)

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** `src/routes/_signed-in/request.index.tsx?tsr-split=component` → ['_signed-in', 'request']; undefined if no route. */
function routeOf(key) {
  const path = /^src\/routes\/(.+?)\.[jt]sx?(\?.*)?$/.exec(key)?.[1]
  return path
    ?.split(/[/.]/)
    .filter((part) => !['index', 'route', 'lazy'].includes(part) && !/^\(.*\)$/.test(part))
}

const urlOf = (route) => `/${route.filter((part) => !part.startsWith('_')).join('/')}`

/** The chunks of a URL's own route file and of the layouts above it. */
function chunksOf(url, manifest) {
  const keys = Object.entries(manifest).flatMap(([key, { modules }]) => [key, ...modules])
  const own = keys.map(routeOf).find((route) => route && urlOf(route) === url)
  if (!own) return undefined
  const isAbove = (key, route) =>
    route.length < own.length && !/[/.]index\.[jt]sx?(\?|$)/.test(key) && route.length > 0
  const wanted = keys.filter((key) => {
    const route = routeOf(key)
    if (!route?.every((part, index) => part === own[index])) return false
    return route.length === own.length || isAbove(key, route)
  })
  return [...new Set(wanted.map((key) => chunkOf(manifest, key)))]
}

const isRouteInSource = (url) =>
  filesIn(join(root, 'src/routes')).some((file) => {
    const route = routeOf(file.slice(root.length + 1))
    return route && urlOf(route) === url
  })

/** Each chunk with the modules that it is made of, by its source map. */
function withModules(manifest) {
  const modulesIn = (file) => {
    const map = join(`${dist}-about`, `${file}.map`)
    if (!existsSync(map)) return []
    return JSON.parse(readFileSync(map, 'utf8')).sources.map((each) => each.replace(/^(?:\.\.\/)+/, ''))
  }
  const chunks = Object.entries(manifest).map(([key, chunk]) => [
    key,
    { ...chunk, modules: modulesIn(chunk.file) },
  ])
  return Object.fromEntries(chunks)
}

/** The manifest keys that a first screen starts from. A route that is not split is part of the entry. */
function startingPoints(url, manifest) {
  const keys = Object.keys(manifest).filter((key) => manifest[key].isEntry)
  if (keys.length === 0) problems.push('the manifest has no entry')
  const chunks = chunksOf(url, manifest)
  if (chunks) return [...keys, ...chunks]
  if (isRouteInSource(url)) console.log(`${url} has no chunk of its own: it is in the entry`)
  else problems.push(`no route ${url} in src/routes: the first screen cannot be measured`)
  return keys
}

/** The sheet that all screens share stands in the page (vite.config.ts). */
function styleInPage() {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const styles = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text)
  if (styles.join('').length < 10_000)
    problems.push('index.html holds no style sheet: its size is not measured')
  return gzipSync(styles.join(''), { level: 9 }).length / 1000
}

function checkTotal(url, kind, sum) {
  worst[kind] = Math.max(worst[kind] ?? 0, sum)
  console.log(`${kb(sum)}  ${kind} in total, limit ${limits[kind]} kB`)
  if (sum <= limits[kind]) return
  problems.push(`${url} needs ${sum.toFixed(1)} kB of ${kind}, the limit is ${limits[kind]} kB`)
}

/** What someone needs who opens the app at this screen; returns the scripts. */
function reportFirstScreen(url, manifest) {
  const needed = [...withStaticImports(startingPoints(url, manifest), manifest)]
  const scripts = new Set(needed.map((key) => manifest[key].file).filter((file) => file.endsWith('.js')))
  const sheets = new Set(needed.flatMap((key) => manifest[key].css ?? []))
  console.log(`First screen ${url}, gzip, from 1 kB on:`)
  for (const file of [...scripts].toSorted((a, b) => size(b) - size(a)).filter((each) => size(each) >= 1))
    console.log(`${kb(size(file))}  ${file}`)
  // styles that come later (.build/later-styles.ts) are for what comes later
  for (const file of scripts)
    if (readFileSync(join(dist, file), 'utf8').includes('adoptedStyleSheets'))
      problems.push(`${url} needs ${file}, which brings styles along: they belong into the page`)
  checkTotal(url, 'js', total(scripts))
  checkTotal(url, 'css', total(sheets) + styleInPage())
  return scripts
}

/** A first visit, from the login to the first row that can be tapped, as a browser makes it. */
async function reportFirstVisit() {
  const { module: browser } = await runnerImport(join(root, 'tests/support/chromium.ts'))
  const launch = { executablePath: await browser.chromiumPath(), args: browser.chromiumArgs }
  const isIn = (visit) => visit.kilobytes <= limits.transfer && visit.names.length <= limits.files
  const visits = []
  while (visits.length < VISITS && !visits.some(isIn))
    visits.push(await firstVisit(dist, { launch, runnerImport }))
  const [{ names, kilobytes, worker }] = visits.toSorted((a, b) => a.kilobytes - b.kilobytes)
  console.log('A first visit, until the first row can be tapped, as Chromium asks for it, brotli:')
  if (args.includes('--files')) console.log(names.toSorted().join('\n'))
  checkFirstVisit('files', names.length, `${names.length} files`)
  checkFirstVisit('transfer', kilobytes, kb(kilobytes).trim())
  // a host sends ten packets of 1.46 kB, its headers among them, before it waits for the phone (decision 0117)
  const page = brotliCompressSync(readFileSync(join(dist, 'index.html'))).length / 1000
  checkFirstVisit('page', page, `${kb(page).trim()} of it the page`)
  const copied = `${kb(worker.kilobytes).trim()} in ${worker.names.length} files`
  console.log(`The service worker copies ${copied} beside it, what the page has asked for among them`)
}

/** Each file is some milliseconds of a screen that is opened cold by its address (decision 0107). */
function reportScreens(manifest) {
  const known = firstScreens.flatMap((url) => startingPoints(url, manifest))
  const [most, where] = moreForScreen(manifest, known)
  worst.screen = most
  console.log(`${most} files more at most for a screen by its address, limit ${limits.screen}`)
  if (most > limits.screen) problems.push(`${where} needs ${most} files more, the limit is ${limits.screen}`)
}

function checkFirstVisit(kind, value, text) {
  worst[kind] = value
  console.log(`${text.padStart(10)}  limit ${limits[kind]}`)
  if (value > limits[kind]) problems.push(`a first visit takes ${text}, the limit is ${limits[kind]}`)
}

/** Chromium looks for it at the very beginning, and says nothing where it stands elsewhere. */
function checkHints() {
  const scripts = filesIn(join(dist, 'assets')).filter((file) => file.endsWith('.js'))
  for (const name of compiledWhole) {
    const files = scripts.filter((file) => file.startsWith(join(dist, `assets/${name}-`)))
    if (!files.some((file) => readFileSync(file, 'utf8').startsWith('//# allFunctionsCalledOnLoad')))
      problems.push(`the chunk ${name} does not begin with what has it compiled at once (.build/chunks.ts)`)
  }
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

function reportLazy(manifest, initial) {
  const lazy = new Set(Object.values(manifest).map(({ file }) => file))
  const scripts = [...lazy].filter((file) => file.endsWith('.js') && !initial.has(file))
  const largest = scripts.toSorted((a, b) => size(b) - size(a)).slice(0, 5)
  const list = largest.map((file) => `${file.split('/').at(-1)} ${size(file).toFixed(1)}`).join(', ')
  console.log(`${kb(total(scripts))}  js in ${scripts.length} lazy chunks; the largest: ${list || 'none'}`)
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

/** What belongs to the build and is not put on a host lies beside it (.build/about.ts). */
const manifestFile = join(`${dist}-about`, 'manifest.json')
if (existsSync(manifestFile)) {
  const manifest = withModules(JSON.parse(readFileSync(manifestFile, 'utf8')))
  const initial = new Set(firstScreens.flatMap((url) => [...reportFirstScreen(url, manifest)]))
  console.log(`${kb(total(initial))}  js for both, one after the other`)
  const { module } = await runnerImport(join(root, '.build/chunks.ts'))
  problems.push(...graphProblems(manifest, module.WITHOUT_SCREEN))
  checkHints()
  checkPacked()
  await reportFirstVisit()
  reportScreens(manifest)
  reportLazy(manifest, initial)
  checkForbidden()
} else {
  problems.push(`${manifestFile} does not exist: run npm run build first`)
}
for (const problem of problems) console.log(`SIZE: ${problem}`)
if (problems.length > 0) process.exitCode = 1
if (asJson)
  console.log(
    JSON.stringify(
      Object.fromEntries(
        Object.entries(worst).map(([kind, value]) => [kind, { value, limit: limits[kind] }]),
      ),
    ),
  )
