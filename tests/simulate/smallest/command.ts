/** `npm run simulate -- --smallest`: all states of the smallest world, and what each defect breaks in one of them. */
import { smallestDefects } from './defects.ts'
import type { World } from './events.ts'
import { explore } from './explore.ts'

/** In `npm test`: seconds. */
export const SMALL: World = { calls: 2, reads: 0 }
/** By hand and among the slow tests: a minute. */
export const WORLDS: readonly World[] = [{ calls: 3, reads: 0 }]

async function isHonest(world: World): Promise<boolean> {
  const begin = performance.now()
  const { states, steps, broken } = await explore(world)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  const { calls, reads } = world
  console.log(
    `at most ${calls} calls and ${reads} lists of each phone: ${states} states, ${steps} steps, ${seconds} s`,
  )
  if (broken) console.log([broken.law, ...broken.way.map((one) => JSON.stringify(one))].join('\n'))
  return broken === null
}

async function* foundDefects() {
  for (const { name, planted } of smallestDefects) {
    const { broken, states } = await explore(SMALL, planted)
    yield { name, states, by: broken && `after ${broken.way.length} steps: ${broken.law}` }
  }
}

async function areFound(): Promise<boolean> {
  let missed = 0
  for await (const { name, by, states } of foundDefects()) {
    if (by === null) missed += 1
    console.log(`${name.padEnd(56)} ${by ?? `not among ${states}`}`)
  }
  return missed === 0
}

/** @returns a line for each defect, for `npm run plants` */
export async function smallestDefectsAsJson(): Promise<string> {
  const lines: string[] = []
  for await (const { name, by } of foundDefects()) lines.push(JSON.stringify({ name, by }))
  return lines.join('\n')
}

/** @param worlds in which nothing may be broken @returns whether all is as it must be */
export async function smallestTable(worlds: readonly World[]): Promise<boolean> {
  let isGood = true
  for (const world of worlds) isGood = (await isHonest(world)) && isGood
  return (await areFound()) && isGood
}
