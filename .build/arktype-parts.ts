/**
 * ArkType in parts that run one after the other, each in a task of its own (decision 0112): what a module imports runs with
 * it in one task, and all of ArkType holds up a slow phone for half a second. Its package exports the whole alone.
 *
 *     import { parts } from 'virtual:arktype-parts'    functions that load them, in the order in which they run
 */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const ID = 'virtual:arktype-parts'
const OWN_ID = `\0${ID}`
/** Each needs those before it; what is left comes with the package itself. */
const PARTS = ['@ark/schema/out/index.js', 'arktype/out/keywords/ts.js', 'arktype/out/keywords/string.js']

/** While it is developed and tested there is one ArkType, packed or Node's own: these would be a second one. */
export function arktypeParts(): Plugin {
  let files: string[] = []
  return {
    name: 'arktype-parts',
    configResolved({ command }) {
      const own = (part: string) => realpathSync(join(import.meta.dirname, '../node_modules', part))
      files = command === 'build' ? PARTS.map(own) : []
    },
    resolveId: (id) => (id === ID ? OWN_ID : null),
    load: (id) =>
      id === OWN_ID
        ? `export const parts = [${files.map((file) => `() => import(${JSON.stringify(file)})`).join(', ')}]`
        : null,
  }
}
