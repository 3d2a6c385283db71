/** The planted defects of the simulations: which seed, or which way through the smallest world, tells of each. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** What each room of the simulation is run with. */
export const SIMULATED = {
  sending: ['--defects', '--json'],
  pulling: ['--pull', '--defects', '--json'],
  smallest: ['--smallest', '--defects', '--json'],
}

/** Lines of JSON are defects, whatever else is printed is not. */
function rowOf(room, line) {
  if (!line.startsWith('{')) return null
  const { name, by } = JSON.parse(line)
  return { room, name, by }
}

/** @param saying is told each row as it comes @returns a row for each defect */
export async function simulated(room, saying) {
  const rows = []
  const child = spawn(process.execPath, ['tests/simulate/simulate.mjs', ...SIMULATED[room]], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let rest = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const row of lines.map((line) => rowOf(room, line)).filter((one) => one !== null)) {
      rows.push(row)
      saying(row)
    }
  }
  if (rows.length === 0) throw new Error(`the simulation of ${room} told nothing`)
  return rows
}
