/** A stored schema changes only with its version and a step (SV3, decisions/updates). */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { deepEqual } from 'rxdb/plugins/core'
import { rxSchemas } from '#schemas/collections/collections.ts'
import { steps } from '#schemas/migrations/steps.ts'
import type { Steps } from '#schemas/migrations/step.ts'
import { versionOf } from '#schemas/collections/versions.ts'
import { schemasIn, storedFiles } from '../support/stored-files.ts'

interface Stored {
  number: number
  schemas: ReadonlyMap<string, { version: number; schema: object }>
}
type Schemas = Readonly<Record<string, { readonly version: number }>>

const BUMP = 'npm run schemas -- --bump'
const FIXTURE = 'npm run schemas -- --fixture'

/** @param layouts every one there ever was, oldest first */
function schemaProblems(layouts: readonly Stored[], schemas: Schemas, steps: Steps): string[] {
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

const root = resolve(import.meta.dirname, '../..')
const layouts = storedFiles().map((layout) => ({ number: layout.number, schemas: schemasIn(layout) }))

test('[SV3c] every schema that phones have stored has a way to today’s', () => {
  expect(schemaProblems(layouts, rxSchemas, steps)).toEqual([])
})

describe('[SV3] what is missing is said with what to do', () => {
  const { emergencyReports } = rxSchemas
  const grown = {
    ...emergencyReports,
    properties: { ...emergencyReports.properties, siteMemo: { type: 'string' } },
  }
  const next = { ...grown, version: emergencyReports.version + 1 }

  test('a field more, and the version as it was', () => {
    expect(schemaProblems(layouts.slice(-1), { ...rxSchemas, emergencyReports: grown }, steps)).toEqual([
      expect.stringMatching(
        /^emergencyReports: its schema has changed, .*npm run schemas -- --bump emergencyReports, then write the step$/,
      ),
    ])
  })

  test('a version without a step, and without a fixture of its own', () => {
    expect(schemaProblems(layouts, { ...rxSchemas, emergencyReports: next }, steps)).toEqual([
      expect.stringContaining(`there is no step to version ${next.version}`),
      expect.stringContaining('npm run schemas -- --fixture'),
    ])
  })

  test('a version that goes back, a collection that is gone', () => {
    const [layout] = layouts
    const ahead = new Map(layout?.schemas).set('requests', { name: 'requests', version: 9, schema: {} })
    const { photos: _, ...fewer } = rxSchemas
    const problems = schemaProblems([{ number: 1, schemas: ahead }], fewer, steps)
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringContaining('its version never goes back'),
        expect.stringContaining('no schema is left to read it by'),
      ]),
    )
  })
})

describe('npm run schemas -- --bump', () => {
  const copy = mkdtempSync(join(tmpdir(), 'genba-bump-'))
  afterAll(() => rmSync(copy, { recursive: true }))
  const bump = (...names: string[]) =>
    spawnSync('node', [join(root, 'tests/schemas.mjs'), '--bump', ...names], {
      env: { ...process.env, SCHEMAS_ROOT: copy },
      encoding: 'utf8',
    })
  const read = (path: string) => readFileSync(join(copy, path), 'utf8')

  test('[SV3] raises the version, and writes a step that says that it is to be filled in', async () => {
    cpSync(join(root, 'schemas'), join(copy, 'schemas'), { recursive: true })
    cpSync(join(root, 'tests/sync/fixtures'), join(copy, 'tests/sync/fixtures'), { recursive: true })
    const { status, stdout } = bump('emergencyReports')
    expect({ status, stdout }).toMatchObject({ status: 0 })
    const version = versionOf('emergencyReports') + 1
    expect(read('schemas/collections/versions.ts')).toContain(`emergencyReports: ${version},`)
    expect(read('schemas/migrations/steps.ts')).toMatch(
      new RegExp(`emergencyReports: \\{.* ${version}: emergencyReports${version} \\}`),
    )
    const step = `schemas/migrations/emergency-reports-${version}.ts`
    expect(read(step)).toContain(`throw new Error('${step}`)
    expect(stdout).toContain(step)
  })

  test('a collection that does not exist, or one whose last version nobody has stored yet, is refused', () => {
    expect(bump('emergencyReport')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('emergencyReports'),
    })
    expect(bump('drafts')).toMatchObject({ status: 1, stdout: expect.stringContaining('--bump own') })
    const before = readdirSync(join(copy, 'schemas/migrations'))
    expect(bump('emergencyReports')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('--fixture'),
    })
    expect(readdirSync(join(copy, 'schemas/migrations'))).toEqual(before)
  })
})
