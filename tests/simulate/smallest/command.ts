/** `npm run simulate -- --smallest`: all states of the smallest world, and what each defect breaks in it. */
import { smallestDefects } from './defects.ts'
import { explore } from './explore.ts'

/** Calls of each phone: so many by hand and in the slow tests (minutes), and in `npm test` (seconds). */
export const WHOLE = 3
export const SMALL = 2

/** @param calls of each phone in the honest world @returns whether all is as it must be */
export async function smallestTable(calls: number): Promise<boolean> {
  const begin = performance.now()
  const { states, steps, broken } = await explore(calls)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`at most ${calls} calls of each phone: ${states} states, ${steps} steps, ${seconds} s`)
  console.log(
    broken ? `${broken.law}\n${broken.way.map((one) => JSON.stringify(one)).join('\n')}` : 'no law broken',
  )
  let areFound = true
  for (const { name, planted } of smallestDefects) {
    const found = await explore(SMALL, planted)
    areFound &&= found.broken !== null
    const where = `after ${found.broken?.way.length} steps: ${found.broken?.law}`
    console.log(`${name.padEnd(56)} ${found.broken ? where : `not among ${found.states}`}`)
  }
  return broken === null && areFound
}
