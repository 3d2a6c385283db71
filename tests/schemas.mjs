/**
 * `npm run schemas`: the stored schemas (decisions/updates).
 *
 *     npm run schemas                             writes rx-schemas.json as the records are defined, says what is missing
 *     npm run schemas -- --bump emergencyReports  raises the version, writes a step to fill in
 *     npm run schemas -- --fixture                keeps what the code of today stores: once the step is written
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const home = resolve(import.meta.dirname, '..')
// a copy of what it writes, for the test of this file
const root = process.env.SCHEMAS_ROOT ?? home
const VERSIONS = join(root, 'schemas/collections/versions.ts')
const SHARED = join(root, 'schemas/collections/shared.ts')
const SCHEMAS = join(root, 'schemas/collections/rx-schemas.json')
const MIGRATIONS = join(root, 'schemas/migrations')
const FIXTURES = join(root, 'tests/sync/fixtures')

const [what, ...names] = process.argv.slice(2)

if (what === '--bump') bump(names)
else if (what === '--fixture') fixture()
else write()

function write() {
  vitest({}, 'tests/schemas/rx-schemas.test.ts', '--update')
  // what is still to be done is said; it is written all the same
  spawnVitest({}, 'tests/schemas/stored-schemas.test.ts', '-t', 'has a way to today')
}

function bump(collections) {
  const versions = readVersions()
  const unknown = collections.filter((name) => !(name in versions))
  const kinds = readKinds()
  for (const name of unknown)
    if (name in kinds)
      stop(`${name} is a kind of a shared collection: npm run schemas -- --bump ${kinds[name]}`)
  if (collections.length === 0 || unknown.length > 0)
    stop(`which collection? ${Object.keys(versions).join(' ')}`)
  if (!isKept(versions))
    stop(
      'no fixture in tests/sync/fixtures holds what the versions before stored. If they are on no phone yet, change their step; else: git stash, npm run schemas -- --fixture, git stash pop',
    )
  for (const name of collections) raise(name, versions[name] + 1)
  writeRegistry()
  if (root === home) vitest({}, 'tests/schemas/rx-schemas.test.ts', '--update')
  console.log('then: npm run schemas, npm run schemas -- --fixture, npm test')
}

function raise(name, version) {
  const raised = Object.entries({ ...raisedVersions(), [name]: version })
  const rows = raised.map(([each, at]) => `  ${each}: ${at},\n`).join('')
  const text = readFileSync(VERSIONS, 'utf8')
  writeFileSync(
    VERSIONS,
    text.replace(/= \{[^}]*\}/, () => `= {\n${rows}}`),
  )
  const path = `schemas/migrations/${kebab(name)}-${version}.ts`
  const step = `/** What version ${version} of ${name} makes of a document of version ${version - 1}. Pure; keeps the key, \`changes\`, \`unsent\`. */
import type { Step } from './step.ts'

export const ${name}${version}: Step = () => {
  throw new Error('${path} is to be filled in')
}
`
  writeFileSync(join(root, path), step)
  console.log(`${name} is at version ${version}. Fill in ${path}`)
}

/** Of the files that there are. */
function writeRegistry() {
  const found = readdirSync(MIGRATIONS).flatMap((file) => {
    const [, slug, version] = /^(.+)-(\d+)\.ts$/.exec(file) ?? []
    return slug ? [{ file, name: camel(slug), version: Number(version) }] : []
  })
  const steps = found.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version - b.version))
  const imports = steps.map(({ file, name, version }) => `import { ${name}${version} } from './${file}'\n`)
  const entries = [...new Set(steps.map(({ name }) => name))].map((name) => {
    const own = steps.filter((step) => step.name === name)
    return `  ${name}: { ${own.map(({ version }) => `${version}: ${name}${version}`).join(', ')} },\n`
  })
  writeFileSync(
    join(MIGRATIONS, 'steps.ts'),
    `/** Written by \`npm run schemas -- --bump <collection>\`: the steps of this folder, one file each. */
${imports.join('')}import type { Steps } from './step.ts'

export const steps: Steps = {
${entries.join('')}}
`,
  )
}

function fixture() {
  const versions = readVersions()
  if (isKept(versions)) stop('what these versions store is kept already: phones have it, it does not change')
  const number = fixtures().length
  vitest({ MAKE_FIXTURE: String(number) }, 'tests/sync/storage/stored-layouts.test.ts', '-t', 'keeps what')
  console.log(`tests/sync/fixtures/layout-${number}.json`)
}

function fixtures() {
  return existsSync(FIXTURES) ? readdirSync(FIXTURES).filter((file) => /^layout-\d+/.test(file)) : []
}

/** Whether phones may have stored these versions. */
function isKept(versions) {
  return fixtures().some((file) => {
    const { schemas } = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'))
    return Object.entries(versions).every(([name, version]) => schemas[name]?.version === version)
  })
}

/** Of every collection. */
function readVersions() {
  const names = Object.keys(JSON.parse(readFileSync(SCHEMAS, 'utf8')))
  return { ...Object.fromEntries(names.map((name) => [name, 0])), ...raisedVersions() }
}

/** Those that are not 0. */
function raisedVersions() {
  const rows = readFileSync(VERSIONS, 'utf8').matchAll(/^ {2}(\w+): (\d+),$/gm)
  return Object.fromEntries([...rows].map(([, name, version]) => [name, Number(version)]))
}

/** Which collection holds each kind of `schemas/collections/shared.ts`. */
function readKinds() {
  const rows = readFileSync(SHARED, 'utf8').matchAll(/^ {2}(\w+): \{ in: '(\w+)'/gm)
  return Object.fromEntries([...rows].map(([, kind, collection]) => [kind, collection]))
}

function vitest(env, ...args) {
  const status = spawnVitest(env, ...args)
  if (status !== 0) process.exit(status ?? 1)
}

function spawnVitest(env, ...args) {
  return spawnSync('npx', ['vitest', 'run', ...args], {
    cwd: home,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status
}

function stop(why) {
  console.log(why)
  process.exit(1)
}

function kebab(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function camel(slug) {
  return slug.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
}
