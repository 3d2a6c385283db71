/** What `npm run size` says of a build's chunks, held against small ones that break its rules on ArkType (decisions 0109–0112). */
import { expect, test } from 'vitest'
import { graphProblems } from './size-graph.mjs'

interface Chunk {
  name?: string
  modules?: string[]
  imports?: string[]
  dynamicImports?: string[]
  isDynamicEntry?: boolean
}

const SCREEN = 'src/routes/_app/request.$id.tsx?tsr-split=component'
const SHEET = 'src/features/request/filter-sheet.tsx'
const SYNC = 'sync/runtime/start-sync.ts'
const CONFIG = 'src/app/read-config.ts'
const CORE = '_out-1.js'

/** As the build makes it: the package's chunk leads to the one that has it. */
const sound: Record<string, Chunk> = {
  'node_modules/arktype/out/index.js': { imports: [CORE] },
  'node_modules/@ark/schema/out/index.js': {},
  'node_modules/arktype/out/keywords/ts.js': {},
  'node_modules/arktype/out/keywords/string.js': {},
  [CORE]: { imports: ['_rolldown-runtime-1.js'] },
  '_rolldown-runtime-1.js': {},
  '_screens-1.js': { name: 'screens' },
  [SCREEN]: { imports: ['_rolldown-runtime-1.js'] },
  [SHEET]: { isDynamicEntry: true },
  [SYNC]: { imports: [CORE] },
  [CONFIG]: {},
}

test('[decision 0112] a sound build has no problem', () => {
  expect(graphProblems(sound, [])).toEqual([])
})

test('[decision 0117] a chunk that several modules share is found by each of them', () => {
  const { [SYNC]: sync, 'node_modules/arktype/out/keywords/ts.js': part, ...rest } = sound
  const shared = {
    '_sync-1.js': { ...sync, modules: [SYNC, 'sync/runtime/loop.ts'] },
    '_ts-1.js': { ...part, modules: ['node_modules/arktype/out/keywords/ts.js'] },
  }
  expect(graphProblems({ ...rest, ...shared }, [SYNC])).toEqual([])
})

test.each<[string, Record<string, Chunk>, string]>([
  ['a screen that needs it', { [SCREEN]: { imports: [CORE] } }, SCREEN],
  [
    'a sheet that needs it by way of another chunk',
    { '_filter-1.js': { imports: [CORE] }, [SHEET]: { isDynamicEntry: true, imports: ['_filter-1.js'] } },
    SHEET,
  ],
  ['what runs beside the login and loads it', { [CONFIG]: { dynamicImports: [CORE] } }, CONFIG],
  ['that what needs it is not seen to', { [SYNC]: {} }, SYNC],
  [
    'a part that shares a chunk with another one',
    {
      'node_modules/arktype/out/keywords/ts.js': undefined as never,
      'node_modules/arktype/out/keywords/string.js': { modules: ['node_modules/arktype/out/keywords/ts.js'] },
    },
    'string.js',
  ],
  [
    'a part that is in one piece with the rest',
    { 'node_modules/arktype/out/keywords/ts.js': undefined as never },
    'ts.js',
  ],
])('[decision 0112] found: %s', (_, over, named) => {
  const manifest = Object.fromEntries(Object.entries({ ...sound, ...over }).filter(([, chunk]) => chunk))
  const problems = graphProblems(manifest, [])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(named)
})
