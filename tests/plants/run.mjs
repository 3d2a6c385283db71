/**
 * `npm run plants`: each planted defect of `plants.mjs` against its tests, and which test noticed it. Nothing on disk is
 * changed: the defect is put into the module as it is loaded. First all those tests run without one, and must pass.
 * `npm run plants -- wire transport` runs only those rooms. The defects of the simulations are rooms of their own: `sending`,
 * `pulling`, `smallest`. `--write` writes the counts into docs/generated/plants.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AT_ONCE, caughtBy, failingHonestly } from './catching.mjs'
import { pageOf } from './page.mjs'
import { plants, roomOf } from './plants.mjs'
import { SIMULATED, simulated } from './simulated.mjs'

const page = join(resolve(import.meta.dirname, '../..'), 'docs/generated/plants.md')
const args = process.argv.slice(2)
const rooms = args.filter((arg) => !arg.startsWith('--'))
const isWanted = (room) => rooms.length === 0 || rooms.includes(room)
const wanted = plants.filter((plant) => isWanted(roomOf(plant)))

const rows = []
const say = (text) => console.log(text)
const row = ({ room, name, by }) => say(`${room.padEnd(11)} ${name.padEnd(60)} ${by ?? 'NOT CAUGHT'}`)

const all = [...new Set(wanted.flatMap(({ tests }) => tests))]
const failing = wanted.length > 0 ? await failingHonestly(all, say) : []
// a test that fails anyway tells of no defect
const against = wanted.map((plant) => ({
  ...plant,
  tests: plant.tests.filter((one) => !failing.includes(one)),
}))

for (let at = 0; at < against.length; at += AT_ONCE) {
  const some = against.slice(at, at + AT_ONCE)
  const told = await caughtBy(some, say)
  const found = some.map((plant, i) => ({ room: roomOf(plant), name: plant.name, by: told[i] }))
  found.forEach(row)
  rows.push(...found)
}
for (const room of Object.keys(SIMULATED).filter(isWanted)) rows.push(...(await simulated(room, row)))

const caught = rows.filter(({ by }) => by !== null).length
say(`${caught} of ${rows.length} planted defects caught`)
if (args.includes('--write')) writeFileSync(page, pageOf(readFileSync(page, 'utf8'), rows))
// Vitest has set it to 1, because tests failed with a defect, as they are to
process.exitCode = failing.length > 0 || caught < rows.length ? 1 : 0
