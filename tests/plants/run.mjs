/**
 * `npm run plants`: each planted defect of `plants.mjs` against its tests, and which test noticed it. Nothing on disk is
 * changed: the defect is put into the module as it is loaded. First all those tests run without one, and must pass.
 * `npm run plants -- wire transport` runs only those rooms.
 */
import { relative, resolve } from 'node:path'
import { createVitest } from 'vitest/node'
import { planted, plants } from './plants.mjs'

const root = resolve(import.meta.dirname, '../..')
const rooms = process.argv.slice(2)
/** Projects of one run of Vitest: each has modules of its own. */
const AT_ONCE = 6

const roomOf = ({ file }) => file.split('/')[1]
const wanted = plants.filter((plant) => rooms.length === 0 || rooms.includes(roomOf(plant)))

const planting = (plant) => ({
  name: 'plant',
  enforce: 'pre',
  transform: (code, id) =>
    relative(root, id.split('?')[0]) === plant.file ? { code: planted(code, plant), map: null } : null,
})

const projectOf = (name, tests, plugins) => ({
  root,
  plugins,
  test: {
    name,
    include: tests.map((test) => `tests/sync/${test}.test.ts`),
    environment: 'node',
    setupFiles: ['temporal-polyfill/global'],
    testTimeout: 40_000,
  },
})

/** The tests that failed, by the project's name. */
async function failedIn(projects) {
  const options = { config: false, watch: false, root, maxWorkers: 2, reporters: [{}], projects }
  const vitest = await createVitest('test', options, { configFile: false, logLevel: 'silent' })
  await vitest.start()
  const failed = new Map(projects.map(({ test }) => [test.name, []]))
  for (const module of vitest.state.getTestModules()) {
    if (module.ok()) continue
    const [first] = module.children.allTests('failed')
    const name = relative(root, module.moduleId).replace('tests/sync/', '').replace('.test.ts', '')
    failed.get(module.project.name)?.push(`${name}: ${(first?.fullName ?? 'could not be run').slice(0, 100)}`)
  }
  await vitest.close()
  return failed
}

const all = [...new Set(wanted.flatMap(({ tests }) => tests))]
const honest = (await failedIn([projectOf('honest', all, [])])).get('honest') ?? []
for (const test of honest) console.log(`fails without any defect: ${test}`)

const table = []
for (let at = 0; at < wanted.length; at += AT_ONCE) {
  const some = wanted.slice(at, at + AT_ONCE)
  const failed = await failedIn(
    some.map((plant, i) => projectOf(`plant-${i}`, plant.tests, [planting(plant)])),
  )
  for (const [i, plant] of some.entries()) {
    const [by] = failed.get(`plant-${i}`) ?? []
    table.push({ room: roomOf(plant), name: plant.name, by })
    console.log(`${roomOf(plant).padEnd(11)} ${plant.name.padEnd(60)} ${by ?? 'NOT CAUGHT'}`)
  }
}
const caught = table.filter(({ by }) => by !== undefined).length
console.log(`${caught} of ${table.length} planted defects caught`)
if (honest.length > 0 || caught < table.length) process.exitCode = 1
