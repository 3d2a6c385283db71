/**
 * Runs the tests that a planted defect names, with the defect put into its module as it is loaded. What only took too long
 * may be the machine's fault: it is run again by itself, and counts where it takes too long again.
 */
import { relative, resolve } from 'node:path'
import { createVitest } from 'vitest/node'
import { planted } from './plants.mjs'

const root = resolve(import.meta.dirname, '../..')
/** Projects of one run of Vitest: each has modules of its own. */
export const AT_ONCE = 6
const HONEST = 'honest'
const UNTIL_FIRST = 'tests/plants/until-first.ts'
const TIME_OUT = /timed? ?out/i

const planting = (plant) => ({
  name: 'plant',
  enforce: 'pre',
  transform: (code, id) =>
    relative(root, id.split('?')[0]) === plant.file ? { code: planted(code, plant), map: null } : null,
})

const projectOf = (name, tests, { plugins = [], setupFiles = [] } = {}) => ({
  root,
  plugins,
  test: {
    name,
    include: tests.map((test) => `tests/sync/${test}.test.ts`),
    environment: 'node',
    setupFiles: ['temporal-polyfill/global', ...setupFiles],
    testTimeout: 40_000,
  },
})

const nameOf = (module) => relative(root, module.moduleId).replace('tests/sync/', '').replace('.test.ts', '')

const messagesOf = (errors) => errors.map(({ message }) => message)

/** What of a module failed: its tests, or, where it has none, the module itself. */
function failuresOf(module) {
  const tests = [...module.children.allTests('failed')].map((test) => ({
    test: nameOf(module),
    told: test.fullName,
    isTimeOut: messagesOf(test.result().errors ?? []).every((message) => TIME_OUT.test(message)),
  }))
  if (tests.length > 0) return tests
  const [message = 'its hooks failed'] = messagesOf(module.errors())
  return [{ test: nameOf(module), told: `could not be run: ${message}`, isBroken: true }]
}

/** @returns what failed, by the project's name @throws where Vitest itself could not run */
async function failedIn(projects) {
  const options = { config: false, watch: false, root, maxWorkers: 2, reporters: [{}], projects }
  const vitest = await createVitest('test', options, { configFile: false, logLevel: 'silent' })
  try {
    await vitest.start()
    const failed = new Map(projects.map(({ test }) => [test.name, []]))
    for (const module of vitest.state.getTestModules())
      if (!module.ok()) failed.get(module.project.name)?.push(...failuresOf(module))
    return failed
  } finally {
    await vitest.close()
  }
}

/** Of what failed, what tells of the defect by itself. */
const certain = (failures) => failures.find(({ isTimeOut, isBroken }) => !isTimeOut && !isBroken)

const inWords = ({ test, told }) => `${test}: ${told.replaceAll(/\s+/g, ' ').slice(0, 140)}`

/** @returns the tests that fail without any defect, at the second time too */
export async function failingHonestly(tests, say) {
  const first = (await failedIn([projectOf(HONEST, tests)])).get(HONEST) ?? []
  const failing = []
  for (const test of new Set(first.map((failure) => failure.test))) {
    const again = (await failedIn([projectOf(HONEST, [test])])).get(HONEST) ?? []
    for (const failure of first.filter((one) => one.test === test))
      say(
        `without any defect failed: ${inWords(failure)}${again.length > 0 ? '' : ' (not at the second run)'}`,
      )
    if (again.length > 0) failing.push(test)
  }
  return failing
}

/** @returns by which test each defect was caught, null where by none */
export async function caughtBy(plants, say) {
  const projectWith = (tests, plant, at) =>
    projectOf(`plant-${at}`, tests, { plugins: [planting(plant)], setupFiles: [UNTIL_FIRST] })
  const failed = await failedIn(plants.map((plant, at) => projectWith(plant.tests, plant, at)))
  const told = []
  for (const [at, plant] of plants.entries()) {
    const failures = failed.get(`plant-${at}`) ?? []
    const first = certain(failures)
    if (first || failures.length === 0) {
      told.push(first ? inWords(first) : null)
      continue
    }
    say(`once more: ${plant.name}, ${inWords(failures[0])}`)
    const tests = [...new Set(failures.map(({ test }) => test))]
    const again = (await failedIn([projectWith(tests, plant, at)])).get(`plant-${at}`) ?? []
    const second = certain(again) ?? again.find(({ isTimeOut }) => isTimeOut)
    for (const { isBroken, ...failure } of again) if (isBroken) say(`breaks its module: ${inWords(failure)}`)
    told.push(second ? inWords(second) : null)
  }
  return told
}
