/** The production build on a host of its own, with the demo CRM, where a second version can be put in its place. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { preview } from 'vite'
import { integrityOf } from '#build/precache.ts'
import { freePort } from '../support/free-port.mjs'

const root = resolve(import.meta.dirname, '../..')
const TEXT = /\.(?:js|css|html|json|webmanifest)$/
const SCRIPT = /[\w.-]+\.js\b/g
/** As `version` stands in package.json. */
const { version: first } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const VERSION = new RegExp(`([\`"])${first.replaceAll('.', '\\.')}([\`"])`, 'g')
/** An entry of the worker's list: of a file that has no hash in its name, with a revision. */
const ENTRY = /(\{url:"([^"]+)",revision:)(?:null|"[0-9a-f]{32}")(,integrity:")[^"]+("\})/g

export interface DeployedSite {
  url: string
  /** The same app under a new version number, as a build would make it: other file names, and the old ones are gone. */
  deploy(version: string): void
  /** A page stands where a script was, and is answered with 200. @returns puts the script back */
  spoil(): () => void
  /** Another worker; throws where nothing of it changed. */
  changeWorker(change: (text: string) => string): void
  /** The scripts have a collection's schema one version on. */
  raise(collection: string, version: number): void
  close(): Promise<void>
}

export async function serveSite(): Promise<DeployedSite> {
  const folder = mkdtempSync(join(tmpdir(), 'genba-site-'))
  cpSync(join(root, 'dist'), folder, { recursive: true, filter: (path) => !/\.(?:br|gz|map)$/.test(path) })
  process.env['DEMO_CRM'] = '1'
  const port = await freePort()
  const server = await preview({
    root,
    logLevel: 'error',
    build: { outDir: folder },
    preview: { host: 'localhost', port, strictPort: true },
  })
  return {
    url: `http://localhost:${port}`,
    deploy: (version) => putInPlace(folder, version),
    spoil: () => spoil(join(folder, 'assets')),
    changeWorker: (change) => rewrite(join(folder, 'sw.js'), change),
    raise: (collection, version) => raise(folder, collection, version),
    async close() {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Makes the build in a folder another one: of this version, with other names of scripts. */
export function putInPlace(folder: string, version: string) {
  const scripts = new Set(readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js')))
  let said = 0
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!TEXT.test(file)) continue
    const text = readFileSync(join(folder, file), 'utf8')
      .replaceAll(SCRIPT, (name) => (scripts.has(name) ? renamed(name) : name))
      .replaceAll(VERSION, (_, before: string, after: string) => {
        said += 1
        return `${before}${version}${after}`
      })
    writeFileSync(join(folder, file), text)
  }
  if (said === 0) throw new Error('no file of the build says its version')
  for (const name of scripts) renameSync(join(folder, 'assets', name), join(folder, 'assets', renamed(name)))
  listAnew(folder)
}

function rewrite(file: string, change: (text: string) => string) {
  const before = readFileSync(file, 'utf8')
  const text = change(before)
  if (text === before) throw new Error(`nothing of ${file} changed`)
  writeFileSync(file, text)
}

function raise(folder: string, collection: string, version: number) {
  const schema = new RegExp(`("?${collection}"?:\\s*\\{\\s*"?version"?:)\\s*${version}\\b`)
  const scripts = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  const holding = scripts.filter((name) => schema.test(readFileSync(join(folder, 'assets', name), 'utf8')))
  if (holding.length === 0) throw new Error(`no script has the schema of ${collection}`)
  for (const name of holding)
    rewrite(join(folder, 'assets', name), (text) => text.replace(schema, `$1${version + 1}`))
  listAnew(folder)
}

/** The worker's list of what now lies there. */
function listAnew(folder: string) {
  const worker = join(folder, 'sw.js')
  let listed = 0
  const text = readFileSync(worker, 'utf8').replace(
    ENTRY,
    (_, start: string, url: string, middle: string, end: string) => {
      listed += 1
      const integrity = integrityOf(readFileSync(join(folder, url)))
      const revision = url.startsWith('assets/') ? null : integrity.slice(-32)
      return `${start}${JSON.stringify(revision)}${middle}${integrity}${end}`
    },
  )
  if (listed === 0) throw new Error('the worker lists no file with its hash')
  writeFileSync(worker, text)
}

const renamed = (name: string) => name.replace(/\.js$/, '2.js')

/** A script that the first screen does not need: only the worker asks for it at first. */
function spoil(assets: string) {
  const name = readdirSync(assets).find((each) => /^settings-.*\.js$/.test(each))
  if (!name) throw new Error('the build has no script of its own for 設定')
  const script = readFileSync(join(assets, name))
  writeFileSync(join(assets, name), '<!doctype html><title>Wi-Fi</title>')
  return () => writeFileSync(join(assets, name), script)
}
