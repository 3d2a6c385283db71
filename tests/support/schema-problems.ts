/** What a change of a stored schema still lacks, in words that say what to do: a phone would say DB6 and open nothing. */
import { deepEqual } from 'rxdb/plugins/core'
import type { Steps } from '#schemas/migrations/step.ts'

interface Stored {
  number: number
  schemas: ReadonlyMap<string, { version: number; schema: object }>
}
type Schemas = Readonly<Record<string, { readonly version: number }>>

const BUMP = 'npm run schemas -- --bump'
const FIXTURE = 'npm run schemas -- --fixture'

/** @param layouts every one there ever was, oldest first */
export function schemaProblems(layouts: readonly Stored[], schemas: Schemas, steps: Steps): string[] {
  const problems = layouts.flatMap((layout) => problemsOf(layout, schemas, steps))
  const isKept = layouts.some(({ schemas: stored }) =>
    Object.entries(schemas).every(([name, { version }]) => stored.get(name)?.version === version),
  )
  if (!isKept)
    problems.push(
      `no fixture holds what these versions store. When the schemas are as you want them and each step is written: ${FIXTURE}`,
    )
  return [...new Set(problems)]
}

function problemsOf({ number, schemas: stored }: Stored, schemas: Schemas, steps: Steps): string[] {
  const file = `tests/sync/fixtures/layout-${number}.json`
  return [...stored].flatMap(([name, { version, schema }]) => {
    const today = schemas[name]
    if (!today) return `${name}: phones have stored it (${file}), and no schema is left to read it by`
    if (today.version < version)
      return `${name}: phones have stored version ${version} (${file}); its version never goes back`
    if (today.version === version)
      return deepEqual(JSON.parse(JSON.stringify(today)), schema)
        ? []
        : `${name}: its schema has changed, and phones have stored version ${version} as it was (${file}). ${BUMP} ${name}, then write the step`
    return missingSteps(name, version, today.version, steps)
  })
}

const missingSteps = (name: string, from: number, to: number, steps: Steps): string[] =>
  Array.from({ length: to - from }, (_, i) => from + i + 1)
    .filter((version) => !(Reflect.get(steps, name) as Record<number, unknown> | undefined)?.[version])
    .map(
      (version) => `${name}: there is no step to version ${version}. ${BUMP} ${name} writes one to fill in`,
    )
